// Hostile code: each attack goes on for a while, or until this process is ended.
import { spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

/** The file descriptor of the channel to the host. */
const CHANNEL = 3;
const FOR_MS = 3_000;

const MB = "x".repeat(1024 * 1024);

/** Repeats an action for the time of an attack, and yields to the event loop in between. */
async function repeat(act) {
  const until = Date.now() + FOR_MS;
  for (let n = 0; Date.now() < until; n++) {
    await act(n);
    await turn();
  }
}

/** Writes directly to the channel, as often as the pipe takes it. */
function send(text) {
  try {
    writeSync(CHANNEL, text);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
}

const line = (message) => send(`${JSON.stringify(message)}\n`);

/** Returns the result or the error as text, so that the next try follows. */
async function tried(act) {
  try {
    return String(await act());
  } catch (error) {
    return `no: ${error.code ?? error.message}`;
  }
}

const attacks = {
  ready: () => line({ type: "ready", graphs: null }),
  numbers: () => line({ type: "end", run: 7, token: "x", status: {} }),
  garbage: () => send('\u0000{{{]]\n\n"\n'),
  questions: () => repeat((n) => line({ type: "ask", id: n, run: "none", token: 1, ask: { type: "none" } })),
  memory: () => repeat((n) => line({ type: "pong", id: n, memory: -1e308 })),
  endless: () => repeat(() => send(MB)),
  print: () => repeat(() => console.log(MB.slice(0, 100_000).replaceAll("xxxxxxxxxx", "\u001b]52;c;eA==\u0007\n"))),
  disk: () => repeat((n) => writeFileSync(join(tmpdir(), `part-${n}`), MB)),
  heap: () => repeat(() => (globalThis.kept = [...(globalThis.kept ?? []), Buffer.alloc(16 * 1024 * 1024, 1)])),
  loop() {
    const until = Date.now() + FOR_MS;
    while (Date.now() < until);
  },
  rejections: () => repeat(() => void Promise.reject(new Error("nobody's"))),
  connections: (_, { port }) =>
    repeat(() =>
      connect(port, "127.0.0.1")
        .on("error", () => {})
        .write("POST /runs/wait HTTP/1.1\r\ncontent-length: 9\r\n"),
    ),
  calls: (_, { port }) =>
    repeat(() =>
      tried(
        async () => (await fetch(`http://127.0.0.1:${port}/api/deployments/quiet/stop`, { method: "POST" })).status,
      ),
    ),
  processes: () => repeat(() => tried(() => spawn("/bin/sh", ["-c", "sleep 60 & sleep 60"], { detached: true }).pid)),
  async files(paths) {
    const answers = [];
    for (const path of paths) {
      answers.push(await tried(() => readFileSync(path, "latin1")));
      const link = join(tmpdir(), `link-${answers.length}`);
      answers.push(
        await tried(() => {
          symlinkSync("/", link);
          return readFileSync(join(link, path), "latin1");
        }),
      );
    }
    return answers;
  },
  exit: () => process.exit(0),
  abort: () => process.abort(),
  parent: () => tried(() => process.kill(process.ppid, "SIGKILL")),
  // Keeps the process busy after attacks that end it.
  sleep: () => sleep(FOR_MS),
};

const State = Annotation.Root({ attack: Annotation(), paths: Annotation(), port: Annotation(), answers: Annotation() });
export const graph = new StateGraph(State)
  .addNode("harm", async ({ attack, paths = [], port }) => ({
    answers: (await attacks[attack](paths, { port })) ?? [],
  }))
  .addEdge(START, "harm")
  .addEdge("harm", END)
  .compile();
