"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";

const COMMAND = "npx graphlib deploy . --follow";

export function DeployBox() {
  return (
    <section aria-label="Deploy an application" className="mt-6 rounded-card border border-line bg-surface p-4">
      <DeployForm />
    </section>
  );
}

/** Asks for a repository URL, which is enough to start a deployment. */
export function DeployForm() {
  const router = useRouter();
  const [url, setUrl] = useState("");
  return (
    <>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          router.push(`/deployments/new${url.trim() === "" ? "" : `?url=${encodeURIComponent(url.trim())}`}`);
        }}
      >
        <input
          aria-label="Repository URL"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="Paste the URL of a repository with a graphlib.json or langgraph.json"
          autoComplete="off"
          spellCheck={false}
          className="h-9 min-w-0 flex-1 basis-64 rounded-control border border-line-strong bg-background px-2.5 text-ellipsis outline-offset-0 pointer-coarse:h-10"
        />
        <Button type="submit" className="h-9 max-sm:w-full">
          Continue
        </Button>
      </form>
      <div className="mt-3 flex min-w-0 items-center gap-2 text-small text-ink-2">
        <span className="shrink-0">Or from a local folder:</span>
        <code className="min-w-0 truncate font-mono">{COMMAND}</code>
        <CopyButton text={COMMAND} label="Copy the command" />
      </div>
    </>
  );
}
