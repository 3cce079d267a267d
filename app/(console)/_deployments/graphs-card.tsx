import { MessageCircle, Share2, Workflow } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import type { GraphState } from "#lib/protocol/deployments.ts";
import { GraphPanel } from "../_graph/graph-panel.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PageLink } from "../_ui/page-link.tsx";
import { Loading } from "../_ui/skeleton.tsx";

const PANEL = "h-90 md:h-105";

/** Lists the graphs, and draws the selected one. */
export function GraphsCard({
  deployment,
  graphs,
  chosen,
}: {
  deployment: Deployment;
  graphs: readonly GraphState[];
  chosen: GraphState;
}) {
  const base = deploymentPath(deployment.name);
  return (
    <Card title="Graphs" className="overflow-hidden">
      <div className="flex flex-col border-t border-line md:flex-row">
        <ul className="flex shrink-0 flex-col gap-0.5 overflow-y-auto border-line p-2 max-md:border-b md:w-72 md:border-r lg:w-84">
          {graphs.map((one) => (
            <Row key={one.graph} graph={one} base={base} here={one.graph === chosen.graph} />
          ))}
        </ul>
        <div className={`relative min-w-0 md:flex-1 ${PANEL}`}>
          {chosen.error ? null : (
            <ButtonLink
              href={`${base}/studio/${encodeURIComponent(chosen.graph)}`}
              className="absolute top-3 right-3 z-5"
            >
              Open in Studio
            </ButtonLink>
          )}
          <Suspense key={chosen.graph} fallback={<Loading what="the graph" className="size-full rounded-none" />}>
            <GraphPanel deployment={deployment} graph={chosen} />
          </Suspense>
        </div>
      </div>
    </Card>
  );
}

function Row({ graph: { graph, description, error }, base, here }: { graph: GraphState; base: string; here: boolean }) {
  return (
    <li
      className={`relative flex items-center gap-3 rounded-control px-2.5 py-2 transition-colors ${here ? "bg-accent-soft" : "hover:bg-well"}`}
    >
      <Share2 className={`size-4 shrink-0 ${here ? "text-accent" : "text-ink-3"}`} />
      <div className="min-w-0 flex-1">
        <PageLink
          href={`${base}?graph=${encodeURIComponent(graph)}`}
          scroll={false}
          replace
          aria-current={here ? "true" : undefined}
          className={`block truncate rounded-control font-medium after:absolute after:inset-0 after:rounded-control ${here ? "text-accent" : ""}`}
        >
          {graph}
        </PageLink>
        <div
          className={`truncate text-small ${error ? "text-bad" : "text-ink-2"}`}
          title={error?.message ?? description}
        >
          {error ? `Did not load: ${error.error}` : (description ?? "No description")}
        </div>
      </div>
      {error ? null : (
        <>
          <RowLink href={`${base}/studio/${encodeURIComponent(graph)}`} label={`Open ${graph} in Studio`}>
            <Workflow className="size-4" />
          </RowLink>
          <RowLink href={`${base}/chat?assistant=${encodeURIComponent(graph)}`} label={`Chat with ${graph}`}>
            <MessageCircle className="size-4" />
          </RowLink>
        </>
      )}
    </li>
  );
}

function RowLink({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <PageLink
      href={href}
      aria-label={label}
      title={label}
      className="relative z-1 inline-flex size-8 items-center justify-center rounded-control text-ink-2 hover:bg-background hover:text-ink pointer-coarse:size-10"
    >
      {children}
    </PageLink>
  );
}
