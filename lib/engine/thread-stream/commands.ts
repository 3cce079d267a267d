/** The commands of the thread streaming protocol (docs/api/thread-streams.md#commands). */
import type * as z from "zod";
import { isFault } from "../../protocol/faults.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { Command, RunCreate, type Trigger } from "../../protocol/runs.ts";
import {
  type CommandError,
  type CommandResponse,
  GetTreeParams,
  InputRespondParams,
  RunStartParams,
  StateGetParams,
  type ThreadCommand,
} from "../../protocol/thread-stream.ts";
import { interruptIds } from "../../rules/interrupts/open-interrupts.ts";
import { openInterrupts } from "./open-interrupts.ts";
import type { Deployment, Platform, EnqueueOptions } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";
import type { Access } from "../access.ts";
import { draftRun } from "../runs/draft.ts";
import { isOfThread, storeRun } from "../runs/runs.ts";
import { getThreadState } from "../threads/state.ts";
import { FULL_STREAM } from "./queued-runs.ts";
import { appliedThrough, hasBegun, readTree } from "./follow-runs.ts";

interface CommandCall {
  readonly platform: Platform;
  readonly deployment: Deployment;
  readonly threadId: string;
  /** Headers of the caller that go into the configuration of runs. */
  readonly headers: Record<string, string>;
  /** The trigger of the runs. */
  readonly trigger?: Trigger;
  /** Permissions of the sender, to whom the thread is visible. */
  readonly access: Access;
}

/** Thrown for a command that cannot be executed, with the protocol's error code. */
class CommandRefused extends Error {
  override readonly name = "CommandRefused";
  readonly code: CommandError;

  constructor(code: CommandError, message: string) {
    super(message);
    this.code = code;
  }
}

type CommandHandler = (call: CommandCall, params: unknown) => Promise<JsonObject>;

const COMMANDS = new Map<string, CommandHandler | "not_supported">([
  ["run.start", (call, params) => start(call, parse(RunStartParams, params))],
  ["input.respond", (call, params) => respond(call, parse(InputRespondParams, params))],
  ["state.get", (call, params) => getState(call, parse(StateGetParams, params))],
  ["agent.getTree", (call, params) => getTree(call, parse(GetTreeParams, params))],
  ["subscription.subscribe", "not_supported"],
  ["subscription.unsubscribe", "not_supported"],
  ["subscription.reconnect", "not_supported"],
  ["state.listCheckpoints", "not_supported"],
  ["state.fork", "not_supported"],
  ["input.inject", "not_supported"],
]);

/** Executes a command. Its errors are part of the response. */
export async function applyThreadCommand(
  call: CommandCall,
  { id, method, params }: ThreadCommand,
): Promise<CommandResponse> {
  const thread_id = call.threadId;
  try {
    const verb = COMMANDS.get(method);
    if (verb === undefined) throw new CommandRefused("unknown_command", `Unknown command ${method}`);
    if (verb === "not_supported") throw new CommandRefused("not_supported", `${method} is not supported over HTTP`);
    const applied_through_seq = await appliedThrough(call.deployment, thread_id);
    const result = await verb(call, params ?? {});
    return { type: "success", id, result, meta: { thread_id, applied_through_seq } };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { type: "error", id, error: refusal.code, message: refusal.message, meta: { thread_id } };
  }
}

function refusalOf(error: unknown): { code: CommandError; message: string } | undefined {
  if (error instanceof CommandRefused) return error;
  if (!isFault(error) || error.code === "internal") return undefined;
  const { message } = error;
  if (error.code === "unavailable") return { code: "unknown_error", message };
  return { code: error.code === "forbidden" ? "permission_denied" : "invalid_argument", message };
}

function parse<S extends z.ZodType>(schema: S, params: unknown): z.infer<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandRefused(
    "invalid_argument",
    `params.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "rejected"}`,
  );
}

/** Starts a run. Input for a thread that waits for an answer is that answer (docs/api/thread-streams.md#commands). */
async function start(call: CommandCall, params: RunStartParams): Promise<JsonObject> {
  const { assistant_id, input, config, metadata, multitaskStrategy } = params;
  const options = { assistant_id, config, metadata, multitask_strategy: multitaskStrategy };
  // Remote graphs send a command of LangGraph under LangGraph's own name.
  if (isObject(input) && input.lg_name === "Command") return run(call, { ...options, command: parse(Command, input) });
  const thread = await call.deployment.threads.get(call.threadId);
  const forks = typeof config?.configurable?.checkpoint_id === "string";
  const waits = thread && !forks && input !== null && input !== undefined ? interruptsOf(thread) : [];
  if (waits.length > 1) {
    throw new CommandRefused("invalid_argument", "The thread waits for several answers: give them with input.respond");
  }
  const what = waits.length === 1 ? { command: { resume: input } } : { input };
  return run(call, { ...options, ...what });
}

/** The number of attempts to store an answer when another run has ended before it. */
const ATTEMPTS = 10;

async function respond(call: CommandCall, params: InputRespondParams, attempt = 1): Promise<JsonObject> {
  const { responses, update, goto, config, metadata } = params;
  // The time is taken before anything is read: changes from here on are found when the answer is stored.
  const since = call.platform.clock.now();
  const thread = await call.deployment.threads.get(call.threadId);
  const assistant_id = thread?.metadata.assistant_id;
  if (!thread || typeof assistant_id !== "string") {
    throw new CommandRefused("no_such_run", `Nothing has run on thread ${call.threadId}: there is nothing to answer`);
  }
  const { open, seen } = await openInterrupts(call.deployment, thread);
  const ids = responses.map(({ interrupt_id }) => interrupt_id);
  const unknown = ids.find((id) => !open.has(id));
  if (unknown !== undefined) {
    throw new CommandRefused("no_such_interrupt", `Thread ${call.threadId} does not wait for ${unknown}`);
  }
  const resume = Object.fromEntries(responses.map(({ interrupt_id, response }) => [interrupt_id, response ?? null]));
  const command = { resume, update, goto };
  try {
    await run(call, { assistant_id, config, metadata, command }, { ids, seen, since });
    return {};
  } catch (error) {
    if (!isFault(error) || error.reason !== "answered") throw error;
    // The other run may have asked again and ended meanwhile.
    if (attempt < ATTEMPTS) return await respond(call, params, attempt + 1);
    throw new CommandRefused("no_such_interrupt", error.message);
  }
}

/** Returns the ids of the interrupts of a thread that is not busy. */
function interruptsOf({ status, interrupts }: StoredThread): string[] {
  return status === "busy" ? [] : interruptIds(interrupts);
}

/** Starts a run with all channels of the protocol, resumable, on a thread that is created if it is missing. */
async function run(
  { platform, deployment, threadId, headers, trigger, access }: CommandCall,
  request: JsonObject,
  answers?: EnqueueOptions["answers"],
): Promise<{ run_id: string }> {
  const body = RunCreate.parse({
    ...request,
    ...FULL_STREAM,
    if_not_exists: "create",
  });
  const draft = await draftRun(platform, deployment, body, { headers, trigger, access, threadId, notes: true });
  const { run_id } = await storeRun(deployment, draft, { answers });
  return { run_id };
}

async function getState(call: CommandCall, { namespace, keys }: StateGetParams): Promise<JsonObject> {
  const ns = namespace.join("|");
  const state = await getThreadState(call.deployment, call.threadId, {
    checkpoint: ns === "" ? undefined : { checkpoint_ns: ns },
  });
  const place = isObject(state.checkpoint) ? state.checkpoint : undefined;
  if (ns !== "" && typeof place?.checkpoint_id !== "string") {
    throw new CommandRefused("no_such_namespace", `Thread ${call.threadId} has no state in ${ns}`);
  }
  const values = isObject(state.values) ? state.values : {};
  const selected = keys && Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
  const checkpoint = typeof place?.checkpoint_id === "string" && { id: place.checkpoint_id, ns };
  return { values: selected ?? values, ...(checkpoint && { checkpoint }) };
}

async function getTree({ deployment, threadId }: CommandCall, { run_id }: GetTreeParams): Promise<JsonObject> {
  const found = run_id === undefined ? await newestRun(deployment, threadId) : await deployment.runs.get(run_id);
  if (!found || !isOfThread(found, threadId) || !hasBegun(found))
    throw new CommandRefused("no_such_run", "Run not found");
  return { tree: await readTree(deployment, found) };
}

async function newestRun(deployment: Deployment, threadId: string) {
  const runs = await deployment.runs.listOf(threadId, { limit: 20, offset: 0 });
  return runs.find(hasBegun);
}
