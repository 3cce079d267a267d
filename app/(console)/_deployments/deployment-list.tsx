"use client";

import { Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import type { DeploymentView } from "#lib/protocol/deployments.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { PageContent, TopBar } from "../_shell/top-bar.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { Key } from "../_ui/key.tsx";
import { Notice } from "../_ui/notice.tsx";
import { replaceQuery } from "../_ui/replace-query.ts";
import { DEPLOYMENT_STATUS } from "../_ui/status.tsx";
import { DeployBox } from "./deploy-box.tsx";
import { type DeploymentRow, DeploymentTable } from "./deployment-table.tsx";
import { Filter } from "./filter.tsx";
import { FirstMinute } from "./first-minute.tsx";
import type { FirstMinuteState } from "../_shell/first-minute-cookie.ts";

export function DeploymentList({ rows, steps }: { rows: readonly DeploymentRow[]; steps?: FirstMinuteState }) {
  const requested = useSearchParams().get("q") ?? "";
  const [query, setQuery] = useState(requested);
  // The URL contains the filter, so that a filtered list can be shared.
  const filter = (text: string) => {
    setQuery(text);
    replaceQuery({ q: text || undefined });
  };
  const shown = rows.filter((row) => matches(row.view, query));
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments" }]}>
        <Filter text={query} onText={filter} label="Filter by name, source, graph" />
        <ButtonLink variant="primary" href="/deployments/new">
          <Plus className="sm:hidden" />
          <span className="max-sm:sr-only">New deployment</span>
          <Key className="border-current/25 bg-transparent text-current max-sm:hidden">c</Key>
        </ButtonLink>
      </TopBar>
      <PageContent>
        <div className="mb-4 flex flex-wrap items-baseline gap-x-2.5">
          <h1 className="text-title font-semibold">{counted(rows.length, "deployment")}</h1>
          <p className="text-ink-2">{summary(rows)}</p>
        </div>
        {shown.length > 0 ? (
          <DeploymentTable rows={shown} />
        ) : (
          <Notice
            tone="neutral"
            title={query ? `No deployment matches “${query}”` : "No deployments yet"}
            action={query ? <Button onClick={() => filter("")}>Clear filter</Button> : undefined}
          >
            {query ? null : (
              <>
                Start the server in a folder with a <code className="font-mono text-code">graphlib.json</code>, or pass
                one: <code className="font-mono text-code">npm start -- --app ../my-app</code>
              </>
            )}
          </Notice>
        )}
        {query !== "" ? null : steps ? <FirstMinute state={steps} /> : <DeployBox />}
      </PageContent>
    </>
  );
}

function matches({ name, source, graphs }: DeploymentView, query: string): boolean {
  const words = [name, source, ...graphs.map((one) => one.graph)].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** `3 ready, 1 failed` */
function summary(rows: readonly DeploymentRow[]): string {
  const words = rows.map(({ view }) => DEPLOYMENT_STATUS[view.status].word.toLowerCase());
  return [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${word}`).join(", ");
}
