import type { ReactNode } from "react";
import { configFileNames } from "#lib/protocol/config-files.ts";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Notice } from "../_ui/notice.tsx";

/** Replaces the A2A page if the application disables A2A. Shows the line that does so, and how to enable it. */
export function A2aDisabled({
  deployment,
  off: { line, why },
}: {
  deployment: string;
  off: { line: string; why: string };
}) {
  const [file, otherFile] = configFileNames;
  return (
    <Page deployment={deployment}>
      <Notice
        tone="neutral"
        title="A2A is disabled"
        action={<ButtonLink href={deploymentPath(deployment)}>Overview</ButtonLink>}
      >
        <p>
          This line of <Mono>{file}</Mono> (or <Mono>{otherFile}</Mono>) disables it:
        </p>
        <div className="my-2 flex items-center gap-2">
          <Mono>{line}</Mono>
          <CopyButton text={line} label="Copy the line" />
        </div>
        <p>
          {why} The agent&rsquo;s URL and its card return 404. Remove or change the line, then redeploy. For a folder
          that is served in place, restart the server instead.
        </p>
      </Notice>
    </Page>
  );
}

/** Replaces the A2A page if there is no agent to call. */
export function NoAgents({ deployment, reason }: { deployment: string; reason: string }) {
  return (
    <Page deployment={deployment}>
      <Notice
        tone="neutral"
        title="No agent to call"
        action={<ButtonLink href={deploymentPath(deployment)}>See why on the overview</ButtonLink>}
      >
        {reason}
      </Notice>
    </Page>
  );
}

function Page({ deployment, children }: { deployment: string; children: ReactNode }) {
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, "A2A")} />
      <PageContent>
        <h1 className="mb-4 text-title font-semibold">A2A</h1>
        {children}
      </PageContent>
    </>
  );
}

function Mono({ children }: { children: string }) {
  return <code className="font-mono text-code text-ink">{children}</code>;
}
