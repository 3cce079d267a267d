/** The process that holds an application's code. The host starts it with a socket as file descriptor 3. */
import { MOST_TEMPLATES } from "../protocol/piece-lines.ts";
import type { AnswerType, HostMessage, WorkerMessage } from "../protocol/worker.ts";
import { createAppServer } from "./application/app.ts";
import { createHostRequests } from "./host-requests.ts";
import { openChannel } from "./channel.ts";
import { ephemeralCheckpointers, type NewCheckpointer } from "./checkpoints/checkpointer.ts";
import { copyWithoutLinks, tolerateDenied } from "./modules/denied.ts";
import { describe } from "./application/describe.ts";
import { createEmbedder } from "./application/embed.ts";
import { GraphLoadError, logFailure, toRunError, withoutPaths } from "./failure.ts";
import { hostCheckpointers } from "./checkpoints/host-checkpointer.ts";
import type { LangGraph } from "./langgraph.ts";
import { answerGuard } from "./application/guard.ts";
import { loadApplication } from "./application/load.ts";
import { installServerAccess } from "./server-access.ts";
import { installLogger } from "./logging.ts";
import { answerLine } from "./longest.ts";
import type { RunContext } from "./runs/context.ts";
import { poolRandomValues } from "./random-pool.ts";
import { cleanUpAtRest } from "./rest.ts";
import { execute, type Execution } from "./runs/run.ts";
import { answerState } from "./runs/state.ts";
import { hostStores } from "./store/store.ts";

const CHANNEL_FD = 3;

tolerateDenied();
copyWithoutLinks();
poolRandomValues();

let context: RunContext | undefined;
let stopping = false;
const running = new Map<string, Execution>();
const rest = cleanUpAtRest(() => running.size > 0);
const serverAccess = installServerAccess();
installLogger();

const channel = openChannel(CHANNEL_FD, {
  onLine(line) {
    // The host writes these lines, so each is a `HostMessage`.
    receive(JSON.parse(line) as HostMessage);
  },
  onClose() {
    // The host is gone, so nobody can receive the end of a run any more.
    for (const execution of running.values()) execution.cancel();
    process.exit(0);
  },
});

const host = createHostRequests(channel);
const routes = createAppServer(channel);

function lineOf(message: WorkerMessage): string {
  return `${JSON.stringify(message)}\n`;
}

function send(message: WorkerMessage): void {
  channel.send(lineOf(message));
}

/** Sends the line of an answer; undefined: the graphs did not load. */
async function answer(type: AnswerType, id: number, line: Promise<string> | undefined): Promise<void> {
  const error = { error: "GraphLoadError", message: "The graphs did not load" };
  channel.send(answerLine((await line) ?? lineOf({ type, id, error }), { type, id }));
}

function receive(message: HostMessage): void {
  if (message.type !== "ping") rest.touch();
  switch (message.type) {
    case "load":
      return void load(message);
    case "home":
      return serverAccess.open(message);
    case "run":
      return start(message);
    case "cancel":
      return running.get(message.run)?.cancel();
    case "describe":
      return void answer("described", message.id, context && describe(context.app, message));
    case "state":
      return void answer("stated", message.id, context && answerState(context, message));
    case "request":
    case "pull":
    case "abandon":
      return routes.handle(context?.app.routes, message);
    case "guard":
      return void answer("guarded", message.id, answerGuard(context?.app.guard, message));
    case "answer":
      return host.answer(message);
    case "refused":
      return running.has(message.run) ? host.refuse(message) : undefined;
    case "embed":
      return void answer("embedded", message.id, context?.embed(message).then(lineOf));
    case "ping":
      return send({ type: "pong", id: message.id });
    case "shutdown":
      return void shutDown();
  }
}

async function load(code: Extract<HostMessage, { type: "load" }>): Promise<void> {
  try {
    const app = await loadApplication(code);
    context = {
      app,
      channel,
      host,
      // Runs that are replaced by another attempt still count at the host.
      isCrowded: () => running.size > MOST_TEMPLATES / 2,
      newCheckpointer: checkpointersOf(app.langgraph),
      newStore: hostStores(app.langgraph, host),
      embed: createEmbedder(app),
    };
    send({ type: "ready", graphs: app.report, langgraph: app.langgraph.version, auth: app.auth, app: app.app });
  } catch (error) {
    logFailure("LangGraph does not load:", error);
    const problem = withoutPaths(toRunError(error), code.folder);
    send({
      type: "ready",
      graphs: Object.keys(code.graphs).map((graph) => ({ graph, error: problem })),
      langgraph: "",
    });
  }
}

function checkpointersOf(langgraph: LangGraph): NewCheckpointer {
  const ephemeral = ephemeralCheckpointers(langgraph);
  const kept = hostCheckpointers(langgraph, host);
  return (order) => {
    if (!order.durable) return ephemeral();
    const { durability, config, head } = order;
    // Only a run sets another durability, and the host stores the end of a run after its checkpoints.
    const waits = durability === undefined || durability === "sync";
    const thread = config?.configurable?.thread_id;
    const own = typeof thread === "string" && order.token > 0 ? { thread, head } : {};
    return kept(order, { durability, metadata: config?.metadata, waits, ...own });
  };
}

function start(order: Extract<HostMessage, { type: "run" }>): void {
  if (!context || stopping) {
    const error = toRunError(new GraphLoadError(stopping ? "The worker is shutting down" : "The graphs did not load"));
    return send({ type: "end", run: order.run, token: order.token, status: "error", error });
  }
  const execution = execute(context, order);
  running.set(order.run, execution);
  void execution.ended.then(() => {
    if (running.get(order.run) === execution) running.delete(order.run);
    host.forget(order);
  });
}

async function shutDown(): Promise<void> {
  stopping = true;
  await Promise.all([...running.values()].map((execution) => execution.ended));
  await channel.flushed();
  process.exit(0);
}

/** A missing `catch` in one run must not end the others. */
process.on("unhandledRejection", (reason) => logFailure("Unhandled rejection in the application:", reason));

/**
 * An uncaught exception may leave the code of the application or of its packages in an unknown state. The host starts a
 * fresh process and reports how this one ended.
 */
process.on("uncaughtException", (error) => {
  logFailure("Uncaught exception in the application:", error);
  void channel.flushed();
  process.exit(1);
});

/** Node's default would open its debugger to any sender of this signal. */
process.on("SIGUSR1", () => {});
/** Ctrl-C in a terminal reaches every process of the group, but the host decides when this one ends. */
process.on("SIGINT", () => {});
