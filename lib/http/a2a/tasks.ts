import { cancelTask, listTasks, readTask } from "../../engine/tasks.ts";
import { isResting, isTerminal } from "../../protocol/a2a.ts";
import { parseGet, parseId, parseList } from "../../protocol/a2a-input.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { decodePlace, encodePlace } from "../../rules/a2a-page.ts";
import { taskOf } from "../../rules/a2a-task.ts";
import { accepted, invalid, refused, taskNamed, type Verb } from "./asked.ts";
import { feedStream, restStream } from "./stream.ts";

/** `tasks/get`, `GetTask`. */
export const get: Verb = async (asked) => {
  const { id: taskId, historyLength } = accepted(parseGet(asked.params));
  const read = await readTask(asked.call.deployment, await taskNamed(asked, taskId));
  if (!read) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  return { result: renderings[asked.method.dialect].task(taskOf(read.task, read.heard, { historyLength })) };
};

/** `tasks/list`, `ListTasks`. */
export const list: Verb = async ({ call, method, params, assistant }) => {
  const { pageToken, pageSize, since, contextId, state, historyLength, artifacts } = accepted(parseList(params));
  const after = pageToken === undefined ? undefined : decodePlace(pageToken);
  if (pageToken !== undefined && !after) throw invalid("pageToken", "expected a token of an earlier page");
  const { tasks, total, next } = await listTasks(
    call.deployment,
    call.access,
    {
      assistantId: assistant.assistant_id,
      contextId,
      state,
      ...(since !== undefined && { since: new Date(since).toISOString() }),
    },
    { after, limit: pageSize, historyLength, artifacts },
  );
  return {
    result: {
      tasks: tasks.map(renderings[method.dialect].task),
      nextPageToken: next ? encodePlace(next) : "",
      pageSize,
      totalSize: total,
    },
  };
};

/** `tasks/cancel`, `CancelTask`. */
export const cancel: Verb = async (asked) => {
  const { call, method } = asked;
  const taskId = accepted(parseId(asked.params));
  const task = await taskNamed(asked, taskId, "update");
  const ended = await cancelTask(call.platform, call.deployment, task, call.request.signal);
  if (!ended) throw refused("TASK_NOT_CANCELABLE", { metadata: { taskId } });
  return { result: renderings[method.dialect].task(taskOf(ended.task, ended.heard)) };
};

/** `tasks/resubscribe`, `SubscribeToTask`. */
export const subscribe: Verb = async (asked) => {
  const { call, id, method } = asked;
  const { platform, deployment } = call;
  const { dialect } = method;
  const taskId = accepted(parseId(asked.params));
  const named = await taskNamed(asked, taskId);
  const known = isResting(named.state) ? undefined : deployment.taskFeeds.find(named);
  // Its end is stored before its feed goes.
  const task = known || isResting(named.state) ? named : await taskNamed(asked, taskId);
  if (!isResting(task.state)) {
    return feedStream(platform, known ?? deployment.taskFeeds.open(task), { id, dialect, from: "now" });
  }
  if (dialect === "1.0" && isTerminal(task.state)) {
    const message = `Task ${taskId} is ${task.state}: there is nothing more to hear of it`;
    throw refused("UNSUPPORTED_OPERATION", { message, metadata: { taskId } });
  }
  const read = await readTask(deployment, task);
  if (!read) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  return restStream(taskOf(read.task, read.heard), { id, dialect });
};
