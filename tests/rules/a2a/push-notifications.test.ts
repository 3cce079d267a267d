import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderings } from "../../../lib/protocol/a2a-render.ts";
import type { RunEvent } from "../../../lib/protocol/stream.ts";
import type { StoredTask } from "../../../lib/protocol/tasks.ts";
import { atRest, beginTask, closeTask, foldEvent, type TaskProgress } from "../../../lib/rules/a2a/task-fold.ts";
import { taskOf } from "../../../lib/rules/a2a/task.ts";
import { pushHeaders, pushTexts, type PushMoment } from "../../../lib/rules/a2a/push-notifications.ts";
import { Task03, Task10, Update10 } from "../../protocol/a2a-schemas.ts";
import { anyRun, play, START, stored } from "./runs.ts";

const at = new Date(START + 1000).toISOString();
const MOMENTS: readonly PushMoment[] = ["working", "rest", "closed"];
const moment = fc.constantFrom(...MOMENTS);
const runs = fc.integer({ min: 1, max: 1000 }).map((n) => Array.from({ length: n }, (_, index) => `run ${index}`));
const body = (push: { body: string } | undefined): unknown => JSON.parse(push?.body ?? "null");

const after = (...list: [string, unknown][]): TaskProgress =>
  list.reduce((progress, [event, data], id): TaskProgress => {
    const runEvent: RunEvent = { id, event, data: JSON.stringify(data) };
    return foldEvent(progress, runEvent, at);
  }, beginTask(stored));
const works: [string, unknown] = ["metadata", { run_id: "task", attempt: 1 }];
const says: [string, unknown] = ["updates", { model: { messages: [{ type: "ai", content: "4" }] } }];
const ends: [string, unknown] = ["end", { status: "success" }];

describe("notifications about a task", () => {
  test("fit the closed schemas of their generation, whatever the runs emitted", () => {
    fc.assert(
      fc.property(anyRun, moment, (batches, when) => {
        const { progress } = play(batches);
        for (const { body: text, kind, contentType } of pushTexts(stored, progress, when, "1.0")) {
          expect(Update10.safeParse(JSON.parse(text)).error).toBeUndefined();
          expect([kind, contentType]).not.toContain("task");
          expect(contentType).toBe("application/a2a+json");
        }
        const [only, ...others] = pushTexts(stored, progress, when, "0.3");
        expect(Task03.safeParse(body(only)).error).toBeUndefined();
        expect([only?.kind, only?.contentType, others]).toEqual(["task", "application/json", []]);
      }),
    );
  });

  test("add up to the task that a request returns: each artifact, then the status", () => {
    fc.assert(
      fc.property(anyRun, (batches) => {
        const { progress } = play(batches);
        const task: unknown = JSON.parse(JSON.stringify(renderings["1.0"].task(taskOf(stored, progress))));
        const { artifacts: shown = [], status } = Task10.parse(task);
        const bodies = pushTexts(stored, progress, "rest", "1.0").map((push) => Update10.parse(body(push)));
        const artifacts = bodies.flatMap((one) => ("artifactUpdate" in one ? one.artifactUpdate.artifact : []));
        expect(artifacts).toEqual(shown);
        expect(bodies.slice(0, -1).every((one) => "artifactUpdate" in one)).toBe(true);
        expect(bodies.at(-1)).toMatchObject({ statusUpdate: { status } });
      }),
    );
  });

  test("are the same when they are rebuilt from the stored task", () => {
    fc.assert(
      fc.property(anyRun, moment, fc.constantFrom("0.3" as const, "1.0" as const), (batches, when, dialect) => {
        const { progress } = play(batches);
        expect(pushTexts(stored, atRest(progress), when, dialect)).toEqual(pushTexts(stored, progress, when, dialect));
      }),
    );
  });

  test("are numbered in the order of their events, across runs", () => {
    fc.assert(
      fc.property(runs, anyRun, (run_ids, batches) => {
        const { progress } = play(batches);
        const numbers = (task: StoredTask): number[] =>
          MOMENTS.flatMap((when) => pushTexts(task, progress, when, "1.0").map(({ seq }) => seq));
        const now = numbers({ ...stored, run_ids });
        const all = [...now, ...numbers({ ...stored, run_ids: [...run_ids, "next"] })];
        expect(all).toEqual(all.toSorted((a, b) => a - b));
        expect(new Set(all).size).toBe(all.length);
        expect(all.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });
});

describe("a notification", () => {
  test("of a started task has its state, and nothing of a reply that is being written", () => {
    const progress = after(works, ["messages", [{ type: "ai", content: "Hel", id: "m" }, {}]]);
    const [first, ...others] = pushTexts(stored, progress, "working", "1.0");
    expect([body(first), others]).toMatchObject([{ statusUpdate: { status: { state: "TASK_STATE_WORKING" } } }, []]);
    const [whole] = pushTexts(stored, progress, "working", "0.3");
    expect(body(whole)).toMatchObject({ kind: "task", status: { state: "working" } });
    expect(body(whole)).not.toHaveProperty("artifacts");
  });

  test("of a task that was cancelled while it waited has only the new state", () => {
    const progress = closeTask(after(works, says, ends), "canceled", at);
    const bodies = pushTexts(stored, progress, "closed", "1.0").map(body);
    expect(bodies).toMatchObject([{ statusUpdate: { status: { state: "TASK_STATE_CANCELED" } } }]);
  });
});

test("a receiver is sent the credentials, else the token, else nothing", () => {
  const token = "t";
  const authentication = { scheme: "Bearer", credentials: "c" };
  expect(pushHeaders({ token, authentication })).toEqual({ authorization: "Bearer c" });
  expect(pushHeaders({ token, authentication: { scheme: "Bearer" } })).toEqual({ "x-a2a-notification-token": "t" });
  expect(pushHeaders({ token })).toEqual({ "x-a2a-notification-token": "t" });
  expect(pushHeaders({})).toEqual({});
});
