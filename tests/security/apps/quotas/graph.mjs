// Uses as much of a resource as requested.
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const MB = Buffer.alloc(1024 * 1024, 1);
const ESC = "\u001B";

const takes = {
  fill(mb) {
    const file = openSync(join(homedir(), "large"), "a");
    for (let n = 0; n < Number(mb); n++) writeSync(file, MB);
    closeSync(file);
  },
  unlinked(mb) {
    const path = join(tmpdir(), "unlinked");
    globalThis.open = openSync(path, "w");
    unlinkSync(path);
    for (let n = 0; n < Number(mb); n++) writeSync(globalThis.open, MB);
  },
  files(count) {
    const folder = join(tmpdir(), "many");
    mkdirSync(folder);
    for (let n = 0; n < Number(count); n++) closeSync(openSync(join(folder, String(n)), "w"));
  },
  closed(mb) {
    const folder = join(homedir(), "closed");
    mkdirSync(folder);
    for (let n = 0; n < Number(mb); n++) writeFileSync(join(folder, String(n)), MB);
    chmodSync(folder, 0);
  },
  home: () => readdirSync(homedir()).join(" "),
  async flood(mb) {
    const lines = `${"x".repeat(99)}\n`.repeat(10_000);
    for (let n = 0; n < Number(mb); n++) {
      process.stdout.write(lines);
      await sleep(0);
    }
    console.log("the last line");
  },
  // Looks like the end of a process with a full heap, at every position.
  fatal: (times) => void process.stderr.write("FATAL ERROR: ".repeat(Number(times))),
  escape() {
    console.log(`${ESC}]52;c;cm0gLXJm\u0007${ESC}]0;title\u0007${ESC}[2J\u009B2J\u202E${ESC}[31mred${ESC}[0m\rover`);
    console.error(`${ESC}]8;;https://evil.example${ESC}\\link${ESC}]8;;${ESC}\\${ESC}P$q"p${ESC}\\${ESC}[6n`);
    console.log("after");
  },
};

const State = Annotation.Root({ take: Annotation(), got: Annotation() });
export const hog = new StateGraph(State)
  .addNode("taker", async ({ take: [what, ...how] }) => ({ got: (await takes[what](...how)) ?? "taken" }))
  .addEdge(START, "taker")
  .addEdge("taker", END)
  .compile();
