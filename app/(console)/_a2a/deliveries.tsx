"use client";

import { useEffect, useState } from "react";
import { isObject, type JsonObject } from "@/lib/protocol/json.ts";
import { Card } from "../_ui/card.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Pill, type Tone } from "../_ui/status.tsx";
import type { OnNews } from "./use-news.ts";

const TONES: Readonly<Record<string, { tone: Tone; word: string }>> = {
  pending: { tone: "waiting", word: "Waits" },
  sending: { tone: "running", word: "Sending" },
  delivered: { tone: "ok", word: "Delivered" },
  failed: { tone: "bad", word: "Given up" },
};

/** What was told of tasks to addresses that clients have named, newest first; nothing where no server says. */
export function Deliveries({ deployment, onNews, now }: { deployment: string; onNews: OnNews; now: number }) {
  const [rows, setRows] = useState<readonly JsonObject[]>();
  useEffect(() => {
    let isOld = false;
    const refresh = (): void => void read(deployment).then((found) => !isOld && setRows(found));
    const stop = onNews(refresh);
    refresh();
    return () => {
      isOld = true;
      stop();
    };
  }, [deployment, onNews]);
  if (!rows) return null;
  return (
    <Card title="Deliveries">
      {rows.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-ink-2">None yet. Each change of a task that has an address is one.</p>
      ) : (
        <ul className="mt-2 border-t border-line">
          {rows.map((row) => (
            <DeliveryRow key={keyOf(row)} row={row} now={now} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function DeliveryRow({ row, now }: { row: JsonObject; now: number }) {
  const { tone, word } = TONES[text(row.state)] ?? { tone: "neutral", word: text(row.state) || "Unknown" };
  const created = timeOf(row.created_at);
  const due = text(row.state) === "pending" ? timeOf(row.due) : undefined;
  const why = text(row.why) || (typeof row.status === "number" ? `HTTP ${row.status}` : text(row.status));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <Pill tone={tone}>{word}</Pill>
      <span className="font-medium break-all">{text(row.host)}</span>
      <code className="min-w-0 truncate font-mono text-code text-ink-3">{text(row.task_id)}</code>
      <span className="min-w-0 flex-1 break-words text-ink-2">{why}</span>
      <span className="text-small text-ink-2">
        attempt {typeof row.attempt === "number" ? row.attempt : 1}
        {due ? (
          <>
            , next <Moment at={due} now={now} />
          </>
        ) : null}
        {created ? (
          <>
            {" · "}
            <Moment at={created} now={now} />
          </>
        ) : null}
      </span>
    </li>
  );
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const keyOf = (row: JsonObject): string => JSON.stringify([row.task_id, row.config_id, row.created_at, row.attempt]);

function timeOf(value: unknown): string | undefined {
  const date = new Date(typeof value === "number" || typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

async function read(deployment: string): Promise<readonly JsonObject[] | undefined> {
  try {
    const response = await fetch(`/api/deployments/${encodeURIComponent(deployment)}/a2a/deliveries`);
    if (!response.ok) return undefined;
    const answer: unknown = await response.json();
    const list = isObject(answer) ? answer.deliveries : answer;
    return Array.isArray(list) ? list.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}
