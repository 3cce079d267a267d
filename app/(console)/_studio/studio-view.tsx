"use client";

import { apiBase } from "#lib/client/api-base.ts";
import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";
import { LazyAuthRequired } from "../_auth/lazy-auth-required.tsx";
import { useCustomHeaders } from "../_auth/use-custom-headers.ts";
import { TopBar } from "../_shell/top-bar.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Notice } from "../_ui/notice.tsx";
import { Studio } from "./studio.tsx";
import type { StudioViewProps } from "./studio-props.ts";

/** Shows the studio of one graph, or asks the visitor to authenticate. */
export function StudioView({ isLinkPrinted, caller, failure, ...props }: StudioViewProps) {
  const { deployment, graph } = props;
  const customHeaders = useCustomHeaders(apiBase(deployment));
  if (customHeaders === undefined && (caller === "closed" || caller === "disabled")) {
    const page = { label: "Studio", path: `studio/${encodeURIComponent(graph)}` };
    return <LazyAuthRequired deployment={deployment} caller={caller} isLinkPrinted={isLinkPrinted} page={page} />;
  }
  if (failure !== undefined) return <FailedGraph deployment={deployment} graph={graph} failure={failure} />;
  const current = customHeaders !== undefined ? "custom" : (caller as Exclude<ConsoleCaller, "closed" | "disabled">);
  return <Studio key={`${graph} ${customHeaders}`} {...props} caller={current} />;
}

function FailedGraph({ deployment, graph, failure }: { deployment: string; graph: string; failure: string }) {
  const base = deploymentPath(deployment);
  return (
    <>
      <TopBar crumbs={[{ label: deployment, href: base }, { label: `Studio · ${graph}` }]} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-186 px-4 py-6 outline-none">
        <h1 className="sr-only">Studio of {graph}</h1>
        <Notice tone="bad" title={`${graph} did not load`}>
          <p className="font-mono text-code wrap-anywhere">{failure}</p>
          <p className="mt-2">The server log has the place in the code. Deploy again after the fix.</p>
        </Notice>
      </main>
    </>
  );
}
