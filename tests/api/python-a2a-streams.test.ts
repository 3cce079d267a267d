/** Tests streams with the official A2A client for Python, read while the agent is working. */
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { describeClients, joined, states, summary, type WireTask } from "./python-clients.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

type Stream = unknown[];
interface Canceled {
  canceled: WireTask;
  heard: Stream;
}
/** The output of `python/a2a_streams.py`. It opens a graph's gate once it has received the first half of the reply. */
interface StreamsOutput {
  live: Stream;
  begun: { task: WireTask; at_work: WireTask; subscribed: Stream[]; found: WireTask };
  answered: { events: Stream; answer: WireTask };
  doubtful: { events: Stream; answer: WireTask };
  canceled: Record<"at_work" | "waiting", Canceled>;
  left: WireTask;
}

/** Joins the reply of a subscription, whose first event is the task with the reply so far. */
function wholeReply([first, ...pieces]: Stream): string {
  const task = (first as { task?: unknown }).task ?? first;
  const { reply } = summary(task);
  return (typeof reply === "string" ? reply : "") + joined(pieces);
}

describeClients(({ run }) => {
  let output: StreamsOutput;
  beforeAll(async () => {
    output = (await run("a2a_streams", { app: server.url })) as StreamsOutput;
  });

  test("receives the first half of a reply before the model has emitted the second", () => {
    expect(states(output.live)).toEqual(["submitted", "working", "artifact", "completed"]);
    expect(joined(output.live)).toBe(halves);
  });

  test("sends without waiting, and gets the task while it is working", () => {
    const { task, at_work, found } = output.begun;
    expect(summary(task).state).toMatch(/^(submitted|working)$/);
    expect(summary(at_work)).toMatchObject({ id: task.id, state: "working" });
    expect(summary(found)).toMatchObject({ id: task.id, state: "completed", reply: halves });
  });

  test("subscribes to such a task, twice, and receives its text live", () => {
    for (const stream of output.begun.subscribed) {
      expect(states(stream)).toEqual(["working", "artifact", "completed"]);
      expect(wholeReply(stream)).toBe(halves);
    }
  });

  test("receives a question, its answer and the end by one subscription", () => {
    const { events, answer } = output.answered;
    expect(states(events)).toEqual(["input-required", "submitted", "working", "artifact", "completed"]);
    expect(joined(events)).toBe("You said yes");
    expect(summary(answer)).toMatchObject({ state: "completed", reply: "You said yes" });
  });

  test("receives the text of the run that an answer starts, though the answer was not streamed", () => {
    const { events, answer } = output.doubtful;
    expect(states(events)).toEqual(["input-required", "submitted", "working", "artifact", "completed"]);
    expect(joined(events)).toBe(halves);
    expect(summary(answer).reply).toBe(halves);
  });

  test("cancels a working task and a waiting one, and subscribers receive that", () => {
    const { at_work, waiting } = output.canceled;
    expect([summary(at_work.canceled).state, summary(waiting.canceled).state]).toEqual(["canceled", "canceled"]);
    expect([states(at_work.heard).at(0), states(at_work.heard).at(-1)]).toEqual(["working", "canceled"]);
    expect(states(waiting.heard)).toEqual(["input-required", "canceled"]);
  });

  test("leaves a stream, and the task continues to its end", () => {
    expect(summary(output.left)).toMatchObject({ state: "completed", reply: halves });
  });
});
