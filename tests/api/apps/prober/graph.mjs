// Tries each requested operation. Returns its result as text, or the code of its error.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const tries = {
  read: (path) => readFileSync(path, "latin1"),
  list: (path) => readdirSync(path).join(" "),
  write: (path) => writeFileSync(path, "mine") ?? "written",
  own: (name) => readFileSync(join(import.meta.dirname, name), "utf8"),
  scratch() {
    const file = join(tmpdir(), "note");
    writeFileSync(file, "kept");
    return `${file} ${readFileSync(file, "utf8")}`;
  },
  link(path) {
    const link = join(tmpdir(), "link");
    symlinkSync(path, link);
    return readFileSync(link, "latin1");
  },
  async database(path) {
    const { DatabaseSync } = await import("node:sqlite");
    return JSON.stringify(new DatabaseSync(path).prepare("select name from sqlite_master").all());
  },
  run: (command) => execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
  // Stays in the background, in its own session.
  leave: (seconds) => String(spawn("sleep", [seconds], { detached: true, stdio: "ignore" }).pid),
  thread: async (path) => {
    const code = `require("node:worker_threads").parentPort.postMessage(require("node:fs").readFileSync(${JSON.stringify(path)}, "latin1"))`;
    const thread = new Worker(code, { eval: true, execArgv: [] });
    return await new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
  },
  addon: (path) => Object.keys(createRequire(import.meta.url)(path)).join(" "),
  environment: () => JSON.stringify(process.env),
  parent: () => readFileSync(`/proc/${process.ppid}/environ`, "latin1"),
  // This signal opens the debugger of a Node.js process.
  async debugger(pid) {
    process.kill(Number(pid), "SIGUSR1");
    await sleep(500);
    return await (await fetch("http://127.0.0.1:9229/json")).text();
  },
  async fetch(url) {
    const answer = await fetch(url);
    return `${answer.status} ${(await answer.text()).slice(0, 100)}`;
  },
  // Closes its connection before anybody can look up its owner.
  async post(port, path) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    const body = "{}";
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    await new Promise((written) => socket.write(`${head}\r\n\r\n${body}`, written));
    socket.destroy();
    return "sent";
  },
  user: () => String(process.getuid()),
  grow(mb) {
    globalThis.kept = Array.from({ length: Number(mb) }, () => Buffer.alloc(1024 * 1024, 1));
    return "grown";
  },
};

const codeOf = (error) => error.code ?? error.cause?.code ?? error.message;

const State = Annotation.Root({ ask: Annotation(), answers: Annotation() });
export const probe = new StateGraph(State)
  .addNode("try", async ({ ask }) => {
    const answers = [];
    for (const [what, ...how] of ask) {
      try {
        answers.push({ got: await tries[what](...how) });
      } catch (error) {
        answers.push({ refused: String(codeOf(error)) });
      }
    }
    return { answers };
  })
  .addEdge(START, "try")
  .addEdge("try", END)
  .compile();
