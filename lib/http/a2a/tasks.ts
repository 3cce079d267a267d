import { cancelTask, listTasks, openTask, readTask } from "../../engine/a2a/tasks.ts";
import { isTerminal } from "../../protocol/a2a.ts";
import { parseGet, parseId, parseList } from "../../protocol/a2a-input.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { decodePageEnd, encodePageEnd } from "../../rules/a2a/page-token.ts";
import { taskOf } from "../../rules/a2a/task.ts";
import { accepted, invalid, refused, taskNamed, type MethodHandler } from "./request.ts";
import { feedStream, restStream } from "./stream.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** `tasks/get`, `GetTask`. */
export const get: MethodHandler = async (rpc) => {
  const { id: taskId, historyLength } = accepted(parseGet(rpc.params));
  const read = await readTask(rpc.call.deployment, await taskNamed(rpc, taskId));
  if (!read) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  return { result: renderings[rpc.method.dialect].task(taskOf(read.task, read.progress, { historyLength })) };
};

/** `tasks/list`, `ListTasks`. */
export const list: MethodHandler = async ({ call, method, params, assistant }) => {
  const { contextId, status, pageSize, pageToken, historyLength, ...rest } = accepted(parseList(params));
  const after = pageToken === undefined ? undefined : decodePageEnd(pageToken);
  if (pageToken !== undefined && !after) throw invalid("pageToken", "expected a token of an earlier page");
  const since = rest.statusTimestampAfter === undefined ? undefined : isoTime(rest.statusTimestampAfter);
  const filter = { assistantId: assistant.assistant_id, contextId, state: status, since };
  const page = { after, limit: pageSize, historyLength, artifacts: rest.includeArtifacts };
  const { tasks, total, next } = await listTasks(call.deployment, call.access, filter, page);
  const nextPageToken = next ? encodePageEnd(next) : "";
  return { result: { tasks: tasks.map(renderings[method.dialect].task), nextPageToken, pageSize, totalSize: total } };
};

/** `tasks/cancel`, `CancelTask`. */
export const cancel: MethodHandler = async (rpc) => {
  const { call, method } = rpc;
  const taskId = accepted(parseId(rpc.params));
  const task = await taskNamed(rpc, taskId, "update");
  const ended = await cancelTask(call.platform, call.deployment, task, call.request.signal);
  if (!ended) throw refused("TASK_NOT_CANCELABLE", { metadata: { taskId } });
  return { result: renderings[method.dialect].task(taskOf(ended.task, ended.progress)) };
};

/** `tasks/resubscribe`, `SubscribeToTask`: streams until the task has ended, also while it waits for a person. */
export const subscribe: MethodHandler = async (rpc) => {
  const { call, id, method } = rpc;
  const { platform, deployment } = call;
  const { dialect } = method;
  const taskId = accepted(parseId(rpc.params));
  const subscription = deployment.taskFeeds.subscribe(await taskNamed(rpc, taskId));
  try {
    // The task is read again, because the subscription misses nothing from now on.
    const named = await taskNamed(rpc, taskId);
    const live = await openTask(deployment, named);
    if (live) return feedStream(platform, live, { id, dialect, from: "now", subscription });
    const read = await readTask(deployment, named);
    if (!read) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
    const { task, progress } = read;
    if (!isTerminal(task.state)) {
      const feed = deployment.taskFeeds.atRest(task, progress);
      return feedStream(platform, feed, { id, dialect, from: "now", subscription });
    }
    subscription.close();
    if (dialect === "0.3") return restStream(taskOf(task, progress), { id, dialect });
    const message = `Task ${taskId} is ${task.state}: it has no more updates`;
    throw refused("UNSUPPORTED_OPERATION", { message, metadata: { taskId } });
  } catch (thrown) {
    subscription.close();
    throw thrown;
  }
};
