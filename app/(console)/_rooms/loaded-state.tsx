"use client";

import { useCallback } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import { isObject } from "#lib/protocol/json.ts";
import { VALUES } from "#lib/rules/threads/bounded-state.ts";
import { OmittedValue } from "../_form/omitted-value.tsx";
import { JsonBox } from "./json-box.tsx";
import { LoadedValue } from "./loaded-json.tsx";

/** The most characters of JSON of the values that are read unasked. */
const LIMIT = 400_000;

interface LoadedStateProps {
  api: RoomApi;
  thread: string;
  /** The newest checkpoint if absent. */
  checkpoint?: string | undefined;
  /** The state is read again when this changes. */
  version?: string;
  label: string;
  /** Shown for a state without values. */
  empty: string;
}

/** Loads the values of a state when it is first shown. The largest ones are loaded when they are asked for. */
export function LoadedState({ api, thread, checkpoint, version, label, empty }: LoadedStateProps) {
  const read = useCallback(
    () => api.threads.state(thread, checkpoint, ["values"], LIMIT),
    // oxlint-disable-next-line react/exhaustive-deps -- the version stands for the state
    [api, thread, checkpoint, version],
  );
  return (
    <LoadedValue read={read} label={label}>
      {({ values, omitted = {} }) => (
        <>
          {isShown(values, omitted) ? <JsonBox value={values} label={label} /> : null}
          {(values ?? null) === null && Object.keys(omitted).length === 0 ? (
            <p className="text-ink-2">{empty}</p>
          ) : null}
          {Object.entries(omitted).map(([path, size]) => (
            <LargeKey key={`${path} ${version}`} api={api} at={{ thread, checkpoint }} path={path} size={size} />
          ))}
        </>
      )}
    </LoadedValue>
  );
}

/** An object of which everything was left out has nothing to show. */
function isShown(values: unknown, omitted: object): boolean {
  if ((values ?? null) === null) return false;
  return !isObject(values) || Object.keys(values).length > 0 || Object.keys(omitted).length === 0;
}

function LargeKey({
  api,
  at: { thread, checkpoint },
  path,
  size,
}: {
  api: RoomApi;
  at: { thread: string; checkpoint: string | undefined };
  path: string;
  size: number;
}) {
  const label = path.startsWith(VALUES) ? path.slice(VALUES.length) : "State";
  const read = useCallback(() => api.threads.omitted(thread, checkpoint, path), [api, thread, checkpoint, path]);
  return (
    <section aria-label={label} className="mt-4">
      <h3 className="mb-1.5 font-mono text-code wrap-anywhere text-ink-2">{label}</h3>
      <OmittedValue label={label} size={size} read={read}>
        {(value) => <JsonBox value={value} label={label} isWanted />}
      </OmittedValue>
    </section>
  );
}
