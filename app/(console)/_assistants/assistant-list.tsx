"use client";

import { Bot, Lock } from "lucide-react";
import { isOfSystem } from "#lib/client/assistants.ts";
import type { Assistant } from "#lib/protocol/assistants.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { Dot } from "../_ui/status.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import type { AssistantsQuery } from "./assistants-query.ts";
import type { Assistants } from "./use-assistants.ts";

/** The assistants under their graphs, with a search by name. */
export default function AssistantList({
  query,
  list: { page, failure, refresh, more },
  graphs,
  edited,
}: {
  query: AssistantsQuery;
  list: Assistants;
  /** The names of the application's graphs, in its order. */
  graphs: readonly string[];
  /** The ids of assistants with changes that are not saved. */
  edited: ReadonlySet<string>;
}) {
  const assistants = page?.assistants ?? [];
  const groups = Map.groupBy(assistants, (one) => one.graph_id);
  const order = [...new Set([...graphs, ...groups.keys()])].filter((graph) => groups.has(graph));
  return (
    <>
      <div className="shrink-0 px-3 py-2.5">
        <input
          type="search"
          data-filter
          aria-label="Search assistants by name"
          placeholder="Search by name"
          spellCheck={false}
          autoComplete="off"
          value={query.q}
          onChange={(event) => query.search(event.target.value)}
          className="h-8 w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 pointer-coarse:h-10"
        />
        <output className="sr-only">{page ? counted(page.total, "assistant") : ""}</output>
      </div>
      {failure === undefined ? null : (
        <div className="px-3 pb-2">
          <LoadFailure what="The assistants" onRetry={() => void refresh()}>
            {failure}
          </LoadFailure>
        </div>
      )}
      <nav aria-label="Assistants" className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {page === undefined && failure === undefined ? <Loading what="the assistants" className="mx-1 h-40" /> : null}
        {page && assistants.length === 0 ? (
          <p className="px-2 py-1.5 text-small wrap-anywhere text-ink-2">
            {query.q === "" ? "None yet." : `No assistant's name has “${query.q}”.`}
          </p>
        ) : null}
        {order.map((graph) => (
          <section key={graph} aria-label={`Graph ${graph}`} className="mb-3">
            <h2 className="truncate px-2 py-1.5 text-small text-ink-2" title={graph}>
              {graph}
              {graphs.includes(graph) ? "" : " (not in the application)"}
            </h2>
            <ul className="flex flex-col gap-0.5">
              {(groups.get(graph) ?? [])
                .toSorted((a, b) => Number(isOfSystem(b)) - Number(isOfSystem(a)))
                .map((one) => (
                  <AssistantRow
                    key={one.assistant_id}
                    assistant={one}
                    isCurrent={query.assistant === one.assistant_id}
                    isEdited={edited.has(one.assistant_id)}
                    onOpen={() => query.open(one.assistant_id, query.tab === "compare" ? "settings" : query.tab)}
                  />
                ))}
            </ul>
          </section>
        ))}
        {page && assistants.length < page.total ? (
          <Button variant="quiet" onClick={more} className="w-full">
            Show more
          </Button>
        ) : null}
      </nav>
    </>
  );
}

function AssistantRow({
  assistant,
  isCurrent,
  isEdited,
  onOpen,
}: {
  assistant: Assistant;
  isCurrent: boolean;
  isEdited: boolean;
  onOpen: () => void;
}) {
  const { assistant_id, name, version, description } = assistant;
  const Icon = isOfSystem(assistant) ? Lock : Bot;
  return (
    <li>
      <PageLink
        href={`?assistant=${encodeURIComponent(assistant_id)}`}
        prefetch={false}
        aria-current={isCurrent ? "page" : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
        className={`flex min-h-12 items-center gap-2.5 rounded-control px-2 py-1.5 ${
          isCurrent ? "bg-accent-soft" : "hover:bg-well"
        }`}
      >
        <Icon aria-hidden className={`size-4 shrink-0 ${isCurrent ? "text-accent" : "text-ink-3"}`} />
        <span className="min-w-0 flex-1">
          <span className={`block truncate font-medium ${isCurrent ? "text-accent" : ""}`} title={name}>
            {name || "Untitled"}
          </span>
          <span className="flex items-center gap-1 truncate text-small text-ink-2">
            {isEdited ? (
              <span className="inline-flex shrink-0 items-center gap-1.5 text-waiting">
                <Dot tone="waiting" /> Not saved
              </span>
            ) : (
              <span className="shrink-0">v{version}</span>
            )}
            {isOfSystem(assistant) ? <span className="truncate">· the graph itself</span> : null}
            {description && !isOfSystem(assistant) ? <span className="truncate">· {description}</span> : null}
          </span>
        </span>
      </PageLink>
    </li>
  );
}
