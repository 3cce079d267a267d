"use client";

import { useCallback, useEffect } from "react";
import { control } from "#lib/client/control.ts";
import type { PushDelivery } from "#lib/protocol/push-deliveries.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import { Card } from "../_ui/card.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Pill, type Tone } from "../_ui/status.tsx";
import { useRead } from "../_ui/use-read.ts";

const STATES: Record<PushDelivery["state"], { tone: Tone; word: string }> = {
  waiting: { tone: "waiting", word: "Pending" },
  delivered: { tone: "ok", word: "Delivered" },
  given_up: { tone: "bad", word: "Given up" },
};

interface DeliveriesProps {
  deployment: string;
  /** The id by which tasks name the assistant. */
  assistant: string;
  subscribe: SubscribeToThreads;
}

/** Lists the push notifications to the webhook URLs that clients have set for tasks, newest first. */
export function Deliveries({ deployment, assistant, subscribe }: DeliveriesProps) {
  const read = useCallback(() => control.deliveries(deployment, assistant), [deployment, assistant]);
  const { value: rows, failure, refresh } = useRead<readonly PushDelivery[] | undefined>(read, undefined);
  useEffect(() => {
    void refresh();
    return subscribe(() => void refresh());
  }, [refresh, subscribe]);
  return (
    <Card title="Deliveries">
      {failure ? (
        <p role="alert" className="px-4 pt-1 pb-3 text-bad">
          The deliveries could not be loaded: {failure}
        </p>
      ) : null}
      {rows?.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-ink-2">
          None yet. Each change of a task is posted to the webhook URLs that clients have set for it.
        </p>
      ) : (
        <ul className="mt-2 border-t border-line">
          {rows?.map((row) => (
            <DeliveryRow key={row.letter_id} row={row} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function DeliveryRow({ row }: { row: PushDelivery }) {
  const { state, kind, host, task_id, attempt, status, why, created_at, due_at } = row;
  const { tone, word } = STATES[state];
  return (
    <li className="grid items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 sm:grid-cols-[7rem_minmax(0,1fr)_auto]">
      <Pill tone={tone}>{word}</Pill>
      <div className="min-w-0">
        <div className="truncate">
          <span className="font-medium">{host}</span> <span className="text-ink-2">{kind}</span>
        </div>
        <div className="truncate font-mono text-code text-ink-3" title={task_id}>
          {task_id}
        </div>
        {state === "delivered" ? null : <div className="break-words text-ink-2">{why}</div>}
      </div>
      <div className="text-small text-ink-2 sm:text-right">
        <div>
          {status === null ? "" : `HTTP ${status}, `}attempt {attempt}
        </div>
        <Moment at={created_at} />
        {due_at === null ? null : (
          <>
            , next <Moment at={due_at} />
          </>
        )}
      </div>
    </li>
  );
}
