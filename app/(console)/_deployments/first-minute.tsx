"use client";

import { Check, Share2, X } from "lucide-react";
import type { ReactNode } from "react";
import { graphPath } from "../_shell/deployment-pages.ts";
import { useRefreshPage } from "../_shell/use-refresh-page.ts";
import { ButtonLink, IconButton } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PageLink } from "../_ui/page-link.tsx";
import { DeployForm } from "./deploy-box.tsx";
import { dismissFirstMinute, type FirstMinuteState } from "../_shell/first-minute-cookie.ts";

const MOST_STARTERS = 3;

/** Leads from an empty platform to a first answer, and from there to the first own deployment. */
export function FirstMinute({ state }: { state: FirstMinuteState }) {
  const refresh = useRefreshPage();
  const { deployment, graph, starters, hasAsked, hasSeenGraph, thread } = state;
  const base = deploymentPath(deployment);
  const chat = `${base}/chat?assistant=${encodeURIComponent(graph)}`;
  const dismiss = () => {
    dismissFirstMinute();
    refresh();
  };
  return (
    <section aria-labelledby="first-minute" className="mt-6 rounded-card border border-line">
      <div className="flex items-start justify-between gap-3 border-b border-line py-3 pr-2 pl-4">
        <div>
          <h2 id="first-minute" className="font-semibold">
            Your first minute
          </h2>
          <p className="text-ink-2">The deployment above is a sample. Three steps lead from it to your own.</p>
        </div>
        <IconButton label="Dismiss the first steps" onClick={dismiss}>
          <X />
        </IconButton>
      </div>
      <ol>
        <Step number={1} isDone={hasAsked} title="Ask the sample agent">
          <ul className="flex flex-wrap gap-2">
            {starters.slice(0, MOST_STARTERS).map((question) => (
              <li key={question} className="min-w-0">
                <PageLink
                  href={`${chat}&ask=${encodeURIComponent(question)}`}
                  className="inline-flex min-h-8 items-center rounded-control border border-line bg-raised px-3 py-1 text-ink-2 transition-colors hover:border-line-strong hover:bg-well hover:text-ink pointer-coarse:min-h-10"
                >
                  {question}
                </PageLink>
              </li>
            ))}
          </ul>
        </Step>
        <Step number={2} isDone={hasSeenGraph} title="See how it thinks">
          <ButtonLink href={`${base}${graphPath(graph)}${thread === undefined ? "" : `?thread=${thread}`}`}>
            <Share2 /> Open its graph
          </ButtonLink>
        </Step>
        <Step number={3} isDone={false} title="Deploy your own">
          <DeployForm />
        </Step>
      </ol>
    </section>
  );
}

function Step({
  number,
  isDone,
  title,
  children,
}: {
  number: number;
  isDone: boolean;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 gap-y-2.5 border-b border-line p-4 last:border-b-0 lg:grid-cols-[1.5rem_12rem_minmax(0,1fr)]">
      <span
        className={`flex size-6 items-center justify-center rounded-full text-small font-medium ${isDone ? "bg-ok-soft text-ok" : "border border-line-strong text-ink-2"}`}
      >
        {isDone ? <Check aria-hidden className="size-3.5" /> : number}
      </span>
      <h3 className={`flex h-6 items-center font-medium ${isDone ? "text-ink-2" : ""}`}>
        {title}
        {isDone ? <span className="ml-2 text-small font-normal text-ok">Done</span> : null}
      </h3>
      <div className="col-start-2 min-w-0 lg:col-start-3 lg:-my-1">{children}</div>
    </li>
  );
}
