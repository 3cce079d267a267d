import { readGraphInterface } from "../../engine/a2a/graph-interface.ts";
import {
  answerTask,
  findWaiting,
  readTask,
  startTask,
  type TaskRequest,
  type TaskRun,
} from "../../engine/a2a/tasks.ts";
import type { TaskRecord, TaskFeed } from "../../engine/ports/tasks.ts";
import { isResting, isTerminal, type Message } from "../../protocol/a2a.ts";
import { parseSend, type SendParams } from "../../protocol/a2a-input.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { isFault } from "../../protocol/faults.ts";
import { streamModesOf, toAnswer, toRun, type GraphInterface } from "../../rules/a2a/message-to-run.ts";
import { taskOf } from "../../rules/a2a/task.ts";
import { agentModes, takesType } from "../../rules/agent-card/modes.ts";
import { startOptionsOf } from "../run-start.ts";
import { accepted, type A2aRequest, invalid, refused, taskNamed, type MethodHandler } from "./request.ts";
import { pushRequestOf, requireRoom } from "./push.ts";
import { feedStream } from "./stream.ts";

/** Common clients give up after five minutes without an answer. Before that they get the task as it is. */
const PATIENCE_MS = 290_000;

/** `message/send`, `SendMessage`, `message/stream`, `SendStreamingMessage`. */
export const send: MethodHandler = async (rpc) => {
  const { call, id, method } = rpc;
  const sent = accepted(parseSend(rpc.params, method.dialect));
  const feed = await deliverMessage(rpc, sent);
  // The message is stored, and the answer may take minutes.
  call.lease.close();
  const { historyLength } = sent;
  if (method.verb === "stream") {
    return feedStream(call.platform, feed, { id, dialect: method.dialect, historyLength, from: "beginning" });
  }
  if (sent.wait) await waitForRest(feed, call.request.signal);
  return { result: renderings[method.dialect].sent(taskOf(feed.task, feed.progress(), { historyLength })) };
};

/** Waits until the task rests, the client has gone, or `PATIENCE_MS` have passed. */
async function waitForRest(feed: TaskFeed, gone: AbortSignal): Promise<void> {
  const enough = new AbortController();
  // Unlike the timer of `AbortSignal.timeout`, this one is cleared, so that many short calls leave no timers behind.
  const timer = setTimeout(() => enough.abort(), PATIENCE_MS);
  try {
    await feed.rested(AbortSignal.any([gone, enough.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Gives a message to the task that it names, to the task that waits in its context, or to a new task. */
async function deliverMessage(rpc: A2aRequest, sent: SendParams): Promise<TaskFeed> {
  const { platform, deployment } = rpc.call;
  const push = pushRequestOf(rpc, sent.push);
  const waiting = sent.taskId === undefined ? await waitingTask(rpc, sent.contextId) : await namedTask(rpc, sent);
  const graphInterface = await readGraphInterface(deployment, rpc.assistant.graph_id);
  const contextId = waiting?.context_id ?? sent.contextId;
  const message: Message = { ...sent.message, messageId: sent.messageId ?? platform.newId() };
  const request: Omit<TaskRequest, "run"> = {
    assistant: rpc.assistant,
    message,
    contextId: contextId ?? platform.newId(),
    isNewContext: contextId === undefined,
    streamMode: streamModesOf(graphInterface, isStreamed(rpc, sent, waiting)),
    ...startOptionsOf(rpc.call),
    metadata: sent.metadata,
    push,
  };
  try {
    if (waiting?.state === "input-required") {
      if (push) await requireRoom(rpc, waiting, push);
      const run = await answerRun(rpc, waiting, message, graphInterface);
      return await answerTask(platform, deployment, waiting, { ...request, run });
    }
    return await startTask(platform, deployment, { ...request, run: inputRun(rpc, message, graphInterface) });
  } catch (thrown) {
    // The thread of the context belongs to somebody else, which the answer must not reveal.
    if (isFault(thrown) && thrown.code === "not_found") throw refused("TASK_NOT_FOUND");
    if (isFault(thrown) && thrown.code === "conflict" && waiting) throw taskAtWork(waiting.task_id);
    throw thrown;
  }
}

/**
 * Returns whether anybody may read the reply while it is written. Streaming tokens is costly, so a call that waits for
 * the whole answer does without. A client that does not wait is expected to subscribe to the task.
 */
function isStreamed({ call, method }: A2aRequest, { wait }: SendParams, continued: TaskRecord | undefined): boolean {
  if (method.verb === "stream" || !wait) return true;
  return continued !== undefined && call.deployment.taskFeeds.isSubscribed(continued.task_id);
}

async function waitingTask({ call, assistant }: A2aRequest, contextId?: string): Promise<TaskRecord | undefined> {
  if (contextId === undefined) return undefined;
  return await findWaiting(call.platform, call.deployment, { contextId, assistant, access: call.access });
}

/** Returns the task that a message names. The message answers it, or starts another task in its context. */
async function namedTask(rpc: A2aRequest, { taskId = "", contextId }: SendParams): Promise<TaskRecord> {
  const task = await taskNamed(rpc, taskId);
  if (contextId !== undefined && contextId !== task.context_id) {
    throw invalid("message.contextId", "expected the context of the task");
  }
  const { state } = task;
  // Widely copied samples send the finished task's id with every message. In v0.3 this starts a new task.
  if (isTerminal(state) && rpc.method.dialect === "1.0") {
    const message = `Task ${taskId} is ${state} and takes no more messages`;
    throw refused("UNSUPPORTED_OPERATION", { message, metadata: { taskId } });
  }
  if (!isResting(state)) throw taskAtWork(taskId);
  return task;
}

function taskAtWork(taskId: string) {
  const message = `Task ${taskId} is working: wait until it is done or needs input`;
  return refused("UNSUPPORTED_OPERATION", { message, metadata: { taskId } });
}

function inputRun({ call, assistant }: A2aRequest, message: Message, graphInterface: GraphInterface): TaskRun {
  const { config } = call.deployment;
  const { input } = agentModes({ assistant, config, graph: assistant.graph_id, graphInterface });
  const run = toRun(message, graphInterface, (type) => takesType(input, type));
  if (run.ok) return { input: run.input };
  if (run.because === "content_type") throw refused("CONTENT_TYPE_NOT_SUPPORTED", run);
  throw invalid("message.parts", run.message);
}

/** Returns the run that continues a waiting task. Without interrupts, the message is the input of a new run. */
async function answerRun(
  rpc: A2aRequest,
  task: TaskRecord,
  message: Message,
  graphInterface: GraphInterface,
): Promise<TaskRun> {
  const interrupts = (task.progress ?? (await readTask(rpc.call.deployment, task))?.progress)?.interrupts;
  if (!interrupts) return inputRun(rpc, message, graphInterface);
  const answer = toAnswer(message.parts, interrupts);
  if (!answer.ok) throw invalid("message.parts", answer.message);
  return "goOn" in answer ? { goOn: true } : { resume: answer.resume };
}
