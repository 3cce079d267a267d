/** Streams by the official A2A client for Python, read while the agent is at work. */
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { describeClients, pieced, states, told, type WireTask } from "./python-clients.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

type Stream = unknown[];
interface Canceled {
  canceled: WireTask;
  heard: Stream;
}
/** What `python/a2a_streams.py` prints. It opens a graph's gate once it has heard the first half of the reply. */
interface Seen {
  live: Stream;
  begun: { task: WireTask; at_work: WireTask; subscribed: Stream[]; found: WireTask };
  answered: { events: Stream; answer: WireTask };
  doubtful: { events: Stream; answer: WireTask };
  canceled: Record<"at_work" | "waiting", Canceled>;
  left: WireTask;
}

/** The first event of a subscription is the task, with the reply as far as it had come. */
function wholeReply([first, ...pieces]: Stream): string {
  const task = (first as { task?: unknown }).task ?? first;
  const { reply } = told(task);
  return (typeof reply === "string" ? reply : "") + pieced(pieces);
}

describeClients(({ run }) => {
  let seen: Seen;
  beforeAll(async () => {
    seen = (await run("a2a_streams", { app: server.url })) as Seen;
  });

  test("hears the first half of a reply while the model has not said the second", () => {
    expect(states(seen.live)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(pieced(seen.live)).toBe(halves);
  });

  test("begins a task without waiting for it, and looks it up while it is at work", () => {
    const { task, at_work, found } = seen.begun;
    expect(told(task).state).toMatch(/^(submitted|working)$/);
    expect(told(at_work)).toMatchObject({ id: task.id, state: "working" });
    expect(told(found)).toMatchObject({ id: task.id, state: "completed", reply: halves });
  });

  test("subscribes to a task that it began without waiting, twice, and hears its text live", () => {
    for (const stream of seen.begun.subscribed) {
      expect(states(stream)).toEqual(["working", "artifact", "completed"]);
      expect(wholeReply(stream)).toBe(halves);
    }
  });

  test("hears a question, its answer and the end by one subscription", () => {
    const { events, answer } = seen.answered;
    expect(states(events)).toEqual(["input-required", "submitted", "working", "artifact", "completed"]);
    expect(pieced(events)).toBe("You said yes");
    expect(told(answer)).toMatchObject({ state: "completed", reply: "You said yes" });
  });

  test("hears the text of the run that an answer starts, though the answer asked for no stream", () => {
    const { events, answer } = seen.doubtful;
    expect(states(events)).toEqual(["input-required", "submitted", "working", "artifact", "completed"]);
    expect(pieced(events)).toBe(halves);
    expect(told(answer).reply).toBe(halves);
  });

  test("cancels a task at work, and one that waits, and subscribers hear of it", () => {
    const { at_work, waiting } = seen.canceled;
    expect([told(at_work.canceled).state, told(waiting.canceled).state]).toEqual(["canceled", "canceled"]);
    expect([states(at_work.heard).at(0), states(at_work.heard).at(-1)]).toEqual(["working", "canceled"]);
    expect(states(waiting.heard)).toEqual(["input-required", "canceled"]);
  });

  test("leaves a stream, and the task goes on to its end", () => {
    expect(told(seen.left)).toMatchObject({ state: "completed", reply: halves });
  });
});
