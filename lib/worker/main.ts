/** The process that holds an application's code. Started by the host with a socket as file descriptor 3. */
import { flushCompileCache } from "node:module";
import type { HostMessage, WorkerMessage } from "../protocol/worker.ts";
import { openChannel } from "./channel.ts";
import { ephemeralCheckpointers } from "./checkpointer.ts";
import { describe } from "./describe.ts";
import { GraphLoadError, logFailure, toRunError, withoutPaths } from "./failure.ts";
import { loadApplication } from "./load.ts";
import { watchHost } from "./orphan.ts";
import { execute, type Execution, type RunContext } from "./run.ts";
import { processStore } from "./store.ts";

const CHANNEL_FD = 3;
const FLUSH_AFTER_MS = 1_000;

let context: RunContext | undefined;
let stopping = false;
const running = new Map<string, Execution>();
const host = watchHost();

const channel = openChannel(CHANNEL_FD, {
  onLine(line) {
    // The host wrote it: it has the form of the contract.
    receive(JSON.parse(line) as HostMessage);
  },
  onClose() {
    // The host is gone, and with it everybody who could hear the end of a run.
    for (const execution of running.values()) execution.cancel();
    process.exit(0);
  },
});

function tell(message: WorkerMessage): void {
  channel.send(`${JSON.stringify(message)}\n`);
}

function receive(message: HostMessage): void {
  switch (message.type) {
    case "load":
      return void load(message);
    case "run":
      return start(message);
    case "cancel":
      return running.get(message.run)?.cancel();
    case "describe":
      return void answer(message);
    case "ping":
      return tell({ type: "pong", id: message.id, memory: process.memoryUsage.rss() });
    case "shutdown":
      return void shutDown();
  }
}

async function load({ folder, graphs }: Extract<HostMessage, { type: "load" }>): Promise<void> {
  try {
    const app = await loadApplication(folder, graphs);
    context = {
      app,
      channel,
      newCheckpointer: ephemeralCheckpointers(app.langgraph),
      store: processStore(app.langgraph),
    };
    tell({ type: "ready", graphs: app.report, langgraph: app.langgraph.version });
    // Nobody waits for this process any more.
    setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
  } catch (error) {
    logFailure("LangGraph does not load:", error);
    const problem = withoutPaths(toRunError(error), folder);
    tell({ type: "ready", graphs: Object.keys(graphs).map((graph) => ({ graph, error: problem })), langgraph: "" });
  }
}

function start(order: Extract<HostMessage, { type: "run" }>): void {
  if (!context || stopping) {
    const error = toRunError(new GraphLoadError(stopping ? "The worker is shutting down" : "The graphs did not load"));
    return tell({ type: "end", run: order.run, token: order.token, status: "error", error });
  }
  host.begin();
  const execution = execute(context, order);
  running.set(order.run, execution);
  void execution.ended.then(() => {
    if (running.get(order.run) === execution) running.delete(order.run);
    if (running.size === 0) host.pause();
  });
}

async function answer(question: Extract<HostMessage, { type: "describe" }>): Promise<void> {
  if (context) return channel.send(await describe(context.app, question));
  tell({ type: "described", id: question.id, error: { error: "GraphLoadError", message: "The graphs did not load" } });
}

async function shutDown(): Promise<void> {
  stopping = true;
  await Promise.all([...running.values()].map((execution) => execution.ended));
  await channel.flushed();
  process.exit(0);
}

/** A forgotten `catch` in one run is no reason to end the others. */
process.on("unhandledRejection", (reason) => logFailure("Unhandled rejection in the application:", reason));

/**
 * After an exception that nobody caught, nobody knows what was left half done, in the code of the application or of its
 * packages. The host starts a fresh process and says how this one ended.
 */
process.on("uncaughtException", (error) => {
  logFailure("Uncaught exception in the application:", error);
  void channel.flushed();
  process.exit(1);
});

/** Ctrl-C in a terminal reaches every process of the group; the host decides when this one ends. */
process.on("SIGINT", () => {});
