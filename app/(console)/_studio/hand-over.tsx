"use client";

import { Download, Ellipsis, ImageDown, Link2, MessageCircle, Terminal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { copyText } from "#lib/client/copy-text.ts";
import { saveFile } from "#lib/client/save-file.ts";
import { runAsCurl, runAsJavaScript, runAsPython } from "#lib/client/quick-start.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PopoverButton, PopoverGroup, PopoverItem } from "../_ui/popover-button.tsx";
import { notify } from "../_ui/toast.ts";
import { useStudio } from "./studio-context.ts";
import { useShownCall } from "./use-shown-call.ts";

/** Takes what is shown elsewhere: as a link, a call, a file, or in the chat. */
export function HandOver() {
  return (
    <PopoverButton title="Share and export" variant="quiet" width="w-64" className="px-2!" label={<Ellipsis />}>
      {(close) => <Choices onClose={close} />}
    </PopoverButton>
  );
}

const CALLS = [
  { language: "curl", snippet: runAsCurl },
  { language: "JavaScript", snippet: runAsJavaScript },
  { language: "Python", snippet: runAsPython },
];

function Choices({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const { deployment, graph, query, studio, canvas } = useStudio();
  const call = useShownCall();
  const [problem, setProblem] = useState<string>();
  const { thread } = query;
  const attempt = (act: () => Promise<unknown>) => () =>
    void act().then(onClose, (error: unknown) => setProblem(errorMessage(error)));
  return (
    <>
      <PopoverItem onClick={attempt(() => copied("Link", window.location.href))}>
        <Link2 /> Copy the link to this view
      </PopoverItem>
      <PopoverItem
        disabled={thread === null}
        onClick={() => {
          onClose();
          router.push(`${deploymentPath(deployment)}/chat?thread=${encodeURIComponent(thread ?? "")}`);
        }}
      >
        <MessageCircle /> Open in the chat
      </PopoverItem>
      <PopoverGroup title="This run by another program">
        {CALLS.map(({ language, snippet }) => (
          <PopoverItem
            key={language}
            onClick={attempt(async () => copied(`Call in ${language}`, snippet(await call())))}
          >
            <Terminal /> Copy the call as {language}
          </PopoverItem>
        ))}
      </PopoverGroup>
      <PopoverGroup title="Files">
        <PopoverItem
          disabled={thread === null}
          onClick={attempt(async () => {
            const content = await studio.download();
            saveFile(`thread-${thread}.json`, new Blob([content], { type: "application/json" }));
          })}
        >
          <Download /> The thread as JSON
        </PopoverItem>
        <PopoverItem
          onClick={attempt(async () => {
            const svg = canvas.current?.exportSvg();
            if (svg !== undefined) saveFile(`${graph}.svg`, new Blob([svg], { type: "image/svg+xml" }));
          })}
        >
          <ImageDown /> The graph as SVG
        </PopoverItem>
        <PopoverItem
          onClick={attempt(async () => {
            const png = await canvas.current?.exportPng();
            if (png) saveFile(`${graph}.png`, png);
          })}
        >
          <ImageDown /> The graph as PNG
        </PopoverItem>
      </PopoverGroup>
      {problem === undefined ? null : <p className="px-2.5 py-1.5 text-bad">{problem}</p>}
    </>
  );
}

async function copied(what: string, text: string): Promise<void> {
  if (!(await copyText(text))) throw new Error("The browser did not let this page copy.");
  notify({ title: `${what} copied`, tone: "ok" });
}
