/** Tests that a client which loses its connection repeatedly reads the same bytes as one that keeps it. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const STREAMS = 1_000;
const AT_A_TIME = 16;

const server = useServer({ own: true, app: resolve(import.meta.dirname, "apps/talkative") });

interface Plan {
  graph: string;
  modes: string[];
  threaded: boolean;
  /** When the connections break: during the run, or all of them after its end, when only stored events are left. */
  when: "live" | "live, stored" | "late, stored";
  /** The first connection is the one that started the run. */
  fromStart: boolean;
  /** The number of bytes after which each connection breaks. */
  cuts: number[];
}

const modes = "values updates messages-tuple messages custom tasks checkpoints debug".split(" ");
const cuts = fc.array(fc.oneof(fc.nat(300), fc.nat(30_000)), { minLength: 1, maxLength: 5 });
const plan: fc.Arbitrary<Plan> = fc.record({
  graph: fc.constantFrom("words", "words", "words", "agent", "agent", "bulky"),
  modes: fc.uniqueArray(fc.constantFrom(...modes), { minLength: 1, maxLength: 3 }),
  threaded: fc.boolean(),
  when: fc.constantFrom("live", "live, stored", "late, stored"),
  fromStart: fc.boolean(),
  cuts,
});

interface Followed {
  undisturbed: string;
  disturbed: string;
}

async function open(path: string, headers: Record<string, string>, body?: string): Promise<IncomingMessage> {
  const method = body === undefined ? "GET" : "POST";
  const sent = request(server.url + path, { method, headers, agent: false }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

/** Reads this many bytes, or to the end, and then destroys the connection, in the middle of any frame or character. */
async function readBytes(answer: IncomingMessage, bytes: number, isLast?: (event: string) => boolean): Promise<string> {
  const pieces: Buffer[] = [];
  let read = 0;
  let rest = "";
  if (bytes > 0) {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      read += piece.length;
      if (read >= bytes) break;
      const events = (rest + piece.toString("latin1")).split("\n\n");
      rest = events.pop() ?? "";
      if (isLast && events.some(isLast)) break;
    }
  }
  answer.destroy();
  return Buffer.concat(pieces).subarray(0, bytes).toString();
}

/** Returns the complete events, which are all that a client knows. */
function wholeEvents(text: string): string {
  const events = text.replaceAll(/^: heartbeat\n/gm, "");
  const end = events.lastIndexOf("\n\n");
  return end < 0 ? "" : events.slice(0, end + 2);
}

const lastIdOf = (events: string): string => /\nid: (\S+)\n\n$/.exec(events)?.[1] ?? "-1";

const bodyOf = (plan: Pick<Plan, "graph" | "modes"> & { resumable: boolean }): string =>
  JSON.stringify({
    assistant_id: plan.graph,
    input: { messages: [{ role: "user", content: "What is 12 * 7? – é 字 🙂" }] },
    stream_mode: plan.modes,
    stream_resumable: plan.resumable,
    if_not_exists: "create",
  });
const JSON_BODY = { "content-type": "application/json" };

async function start({ graph, modes, threaded, when, fromStart }: Plan) {
  const path = `${threaded ? `/threads/${randomUUID()}` : ""}/runs${fromStart ? "/stream" : ""}`;
  const answer = await open(path, JSON_BODY, bodyOf({ graph, modes, resumable: when !== "live" }));
  if (!fromStart) await readBytes(answer, Infinity);
  return { path: `${answer.headers["content-location"]}/stream`, first: fromStart ? answer : undefined };
}

async function follow(plan: Plan): Promise<Followed & { rejoinedLive: number }> {
  const { path, first } = await start(plan);
  let ended = false;
  const undisturbed = open(path, { "last-event-id": "-1" })
    .then((answer) => readBytes(answer, Infinity))
    .finally(() => (ended = true));
  if (plan.when === "late, stored") await undisturbed;
  let disturbed = "";
  let rejoinedLive = 0;
  let answer = first;
  for (const cut of [...plan.cuts, Infinity]) {
    if (!answer && !ended) rejoinedLive++;
    answer ??= await open(path, { "last-event-id": lastIdOf(disturbed) });
    disturbed += wholeEvents(await readBytes(answer, cut));
    answer = undefined;
  }
  return { undisturbed: wholeEvents(await undisturbed), disturbed, rejoinedLive };
}

/** Follows `count` plans, some at a time. A failure names the plan, and the seed that generates it again. */
async function followAll<T>(kind: fc.Arbitrary<T>, count: number, follow: (plan: T) => Promise<Followed>) {
  const seed = Date.now();
  const plans = fc.sample(kind, { numRuns: count, seed }).entries();
  const followSome = async (): Promise<void> => {
    for (const [number, plan] of plans) {
      const { undisturbed, disturbed } = await follow(plan);
      const what = `number ${number} of seed ${seed}: ${JSON.stringify(plan)}`;
      expect(undisturbed, what).toMatch(/^event: metadata\n/);
      expect(disturbed === undisturbed, what).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, followSome));
}

test(`${STREAMS} runs whose streams break and are joined again give the same bytes`, { timeout: 600_000 }, async () => {
  let rejoinedLive = 0;
  await followAll(plan, STREAMS, async (plan) => {
    const followed = await follow(plan);
    rejoinedLive += followed.rejoinedLive;
    return followed;
  });
  expect(rejoinedLive).toBeGreaterThan(0);
});

test(
  "streams of threads that break and are joined again give the same bytes, over several runs",
  { timeout: 600_000 },
  async () => {
    expect.hasAssertions();
    const RUNS = 3;
    const isDone = (event: string): boolean => event.includes("event: run_done\n");
    /** Matches the last event of the last run, given the events read before: a thread's stream has no end. */
    const lastAfter = (before: string): ((event: string) => boolean) => {
      let done = before.split("\n\n").filter(isDone).length;
      return (event) => isDone(event) && ++done === RUNS;
    };
    const modes = ["updates", "messages-tuple"];
    await followAll(fc.record({ graph: fc.constantFrom("words", "agent"), cuts }), 60, async ({ graph, cuts }) => {
      const path = `/threads/${randomUUID()}`;
      const body = bodyOf({ graph, modes, resumable: true });
      const run = async () => readBytes(await open(`${path}/runs`, JSON_BODY, body), Infinity);
      await run();
      const whole = await open(`${path}/stream`, { "last-event-id": "-" });
      const undisturbed = readBytes(whole, Infinity, lastAfter(""));
      for (let more = 1; more < RUNS; more++) await run();
      let disturbed = "";
      for (const cut of [...cuts, Infinity]) {
        if (disturbed.split("\n\n").filter(isDone).length === RUNS) break;
        const answer = await open(`${path}/stream`, { "last-event-id": lastIdOf(disturbed) });
        disturbed += wholeEvents(await readBytes(answer, cut, lastAfter(disturbed)));
      }
      return { undisturbed: wholeEvents(await undisturbed), disturbed };
    });
  },
);
