"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import type { AssistantApi } from "#lib/client/assistants.ts";
import { draftOf } from "#lib/rules/assistants/draft.ts";
import type { Assistant, AssistantVersion } from "#lib/protocol/assistants.ts";
import { differenceOf } from "#lib/rules/studio/state-difference.ts";
import { DifferenceList } from "../_form/difference-list.tsx";
import { Button } from "../_ui/button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { Pill } from "../_ui/status.tsx";
import { useAct } from "../_ui/use-act.ts";
import { useRead } from "../_ui/use-read.ts";
import type { AssistantsQuery } from "./assistants-query.ts";

const PAGE = 50;

interface VersionsTabProps {
  api: AssistantApi;
  query: AssistantsQuery;
  assistant: Assistant;
  onActivated: () => Promise<void>;
}

/** The versions of an assistant, what each has changed, and which one is active. */
export default function VersionsTab({ api, query, assistant, onActivated }: VersionsTabProps) {
  const { assistant_id, version: active, updated_at } = assistant;
  const [limit, setLimit] = useState(PAGE);
  // A change of the assistant makes a version, so the list is read again.
  const read = useCallback(
    async (): Promise<{ versions: AssistantVersion[]; at: string }> => ({
      versions: await api.versions(assistant_id, limit, 0),
      at: updated_at,
    }),
    [api, assistant_id, limit, updated_at],
  );
  const { value, failure, refresh } = useRead<Awaited<ReturnType<typeof read>> | undefined>(read, undefined);
  useEffect(() => void refresh(), [refresh]);
  const versions = value?.versions ?? [];
  const chosen =
    versions.find((one) => one.version === query.version) ?? versions.find((one) => one.version === active);
  if (failure !== undefined) {
    return (
      <LoadFailure what="The versions" onRetry={() => void refresh()}>
        {failure}
      </LoadFailure>
    );
  }
  if (!value) return <Loading what="the versions" className="h-60" />;
  return (
    <div className="grid gap-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <div>
        <ul aria-label="Versions" className="flex flex-col gap-0.5">
          {versions.map((one) => (
            <li key={one.version}>
              <button
                type="button"
                aria-pressed={one === chosen}
                onClick={() => query.showVersion(one.version)}
                className={`flex h-10 w-full items-center gap-2 rounded-control px-2.5 text-left ${
                  one === chosen ? "bg-accent-soft text-accent" : "hover:bg-well"
                }`}
              >
                <span className="font-medium">Version {one.version}</span>
                {one.version === active ? <Pill tone="ok">Active</Pill> : null}
                <span className="ml-auto text-small text-ink-2">
                  <Moment at={one.created_at} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {versions.length === limit ? (
          <Button variant="quiet" onClick={() => setLimit(limit + PAGE)} className="w-full">
            Show more
          </Button>
        ) : null}
      </div>
      {chosen ? (
        <Version
          key={chosen.version}
          version={chosen}
          before={versions.find((one) => one.version < chosen.version)}
          current={versions.find((one) => one.version === active)}
          onActivate={async () => {
            await api.activate(assistant_id, chosen.version);
            await onActivated();
          }}
        />
      ) : null}
    </div>
  );
}

function Version({
  version,
  before,
  current,
  onActivate,
}: {
  version: AssistantVersion;
  before: AssistantVersion | undefined;
  current: AssistantVersion | undefined;
  onActivate: () => Promise<void>;
}) {
  const { busy, failure, act } = useAct<"activate">();
  const isActive = current === version;
  return (
    <section aria-label={`Version ${version.version}`} className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="text-body font-semibold">Version {version.version}</h3>
        {isActive ? (
          <Pill tone="ok">Active</Pill>
        ) : (
          <Button onClick={() => act("activate", onActivate())} disabled={busy !== undefined}>
            {busy ? "Activating…" : "Make it active"}
          </Button>
        )}
        <output className="text-bad">{failure === undefined ? "" : `It was not made active: ${failure}`}</output>
      </div>
      {before ? (
        <Differences title={`What it changed, against version ${before.version}`} before={before} after={version} />
      ) : (
        <p className="text-ink-2">
          {version.version === 1 ? "It is the first one." : "The one before it is not listed."}
        </p>
      )}
      {current && !isActive && current !== before ? (
        <Differences title={`Against the active version ${current.version}`} before={current} after={version} />
      ) : null}
    </section>
  );
}

function Differences({ title, before, after }: { title: string; before: AssistantVersion; after: AssistantVersion }) {
  const difference = useMemo(() => differenceOf({ ...draftOf(before) }, { ...draftOf(after) }), [before, after]);
  return (
    <div>
      <h4 className="mb-2 text-small text-ink-2">{title}</h4>
      <DifferenceList difference={difference} none="They are equal." />
    </div>
  );
}
