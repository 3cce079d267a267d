/**
 * The neutral model of Agent2Agent, common to v0.3 and v1.0. `a2a-input` parses either dialect into it, and
 * `a2a-render` renders it in one.
 */
import type { JsonObject } from "./json.ts";
import type { RpcError } from "./jsonrpc.ts";

export const TASK_STATES = [
  "submitted",
  "working",
  "input-required",
  "auth-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

const STATE_CLASS: Record<TaskState, "active" | "interrupted" | "terminal"> = {
  submitted: "active",
  working: "active",
  "input-required": "interrupted",
  "auth-required": "interrupted",
  completed: "terminal",
  failed: "terminal",
  canceled: "terminal",
  rejected: "terminal",
};

/** Returns whether a task in this state has ended for good. */
export const isTerminal = (state: TaskState): boolean => STATE_CLASS[state] === "terminal";

/** Returns whether nothing more happens until the client acts: a waiting call then returns, and a stream closes. */
export const isResting = (state: TaskState): boolean => STATE_CLASS[state] !== "active";

interface AnyPart {
  readonly mediaType?: string;
  readonly metadata?: JsonObject;
}

export type Part =
  | (AnyPart & { readonly kind: "text"; readonly text: string })
  | (AnyPart & { readonly kind: "data"; readonly data: unknown })
  /** Content of a file in base64. */
  | (AnyPart & { readonly kind: "bytes"; readonly bytes: string; readonly name?: string })
  | (AnyPart & { readonly kind: "url"; readonly url: string; readonly name?: string });

export interface Message {
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
}

export interface TaskStatus {
  readonly state: TaskState;
  /** Time in ISO 8601, in UTC with Z. */
  readonly timestamp: string;
  readonly message?: Message;
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  /** Messages, the oldest first. */
  readonly history?: readonly Message[];
}

/** An event of a task's stream. */
export type TaskUpdate =
  | { readonly kind: "task"; readonly task: Task }
  | {
      readonly kind: "status";
      readonly taskId: string;
      readonly contextId: string;
      readonly status: TaskStatus;
      /** True if the stream closes after this update. */
      readonly last: boolean;
    }
  | {
      readonly kind: "artifact";
      readonly taskId: string;
      readonly contextId: string;
      readonly artifact: Artifact;
      /** True if the parts are appended. False creates or replaces the artifact. */
      readonly append: boolean;
      readonly lastChunk: boolean;
    };

/** A version of the A2A protocol. */
export type Dialect = "0.3" | "1.0";

export type MethodVerb = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | PushVerb | "extendedCard";

type PushVerb = "setPushConfig" | "getPushConfig" | "listPushConfigs" | "deletePushConfig";

export interface Method {
  readonly dialect: Dialect;
  readonly verb: MethodVerb;
}

const named = (dialect: Dialect, names: Record<string, MethodVerb>): [string, Method][] =>
  Object.entries(names).map(([name, verb]) => [name, { dialect, verb }]);

/** The method names of both dialects. They do not overlap, so the name determines the dialect of the response. */
export const methods: ReadonlyMap<string, Method> = new Map([
  ...named("0.3", {
    "message/send": "send",
    "message/stream": "stream",
    "tasks/get": "get",
    "tasks/list": "list",
    "tasks/cancel": "cancel",
    "tasks/resubscribe": "subscribe",
    "tasks/pushNotificationConfig/set": "setPushConfig",
    "tasks/pushNotificationConfig/get": "getPushConfig",
    "tasks/pushNotificationConfig/list": "listPushConfigs",
    "tasks/pushNotificationConfig/delete": "deletePushConfig",
    "agent/getAuthenticatedExtendedCard": "extendedCard",
  }),
  ...named("1.0", {
    SendMessage: "send",
    SendStreamingMessage: "stream",
    GetTask: "get",
    ListTasks: "list",
    CancelTask: "cancel",
    SubscribeToTask: "subscribe",
    CreateTaskPushNotificationConfig: "setPushConfig",
    GetTaskPushNotificationConfig: "getPushConfig",
    ListTaskPushNotificationConfigs: "listPushConfigs",
    DeleteTaskPushNotificationConfig: "deletePushConfig",
    GetExtendedAgentCard: "extendedCard",
  }),
]);

/**
 * Returns whether the value of `A2A-Version` is a supported version. An empty value means 0.3; the patch number is
 * ignored.
 */
export function isVersionSpoken(version: string): boolean {
  const text = version.trim();
  return text === "" || /^(0\.[23]|1\.\d+)(\.\d+)?$/.test(text);
}

/** Returns whether the value of `A2A-Version` asks for v1. */
export function asksForV1(version: string): boolean {
  return /^1\.\d+(\.\d+)?$/.test(version.trim());
}

const ERRORS = {
  TASK_NOT_FOUND: [-32001, "Task not found"],
  TASK_NOT_CANCELABLE: [-32002, "Task cannot be canceled"],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, "Push Notification is not supported"],
  UNSUPPORTED_OPERATION: [-32004, "This operation is not supported"],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, "Incompatible content types"],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [-32007, "Extended Agent Card is not configured"],
  VERSION_NOT_SUPPORTED: [-32009, "This version of A2A is not supported"],
} as const satisfies Record<string, readonly [number, string]>;

export type A2aReason = keyof typeof ERRORS;

/** Returns one of A2A's own errors, with the `ErrorInfo` that v1.0 requires. */
export function a2aError(
  reason: A2aReason,
  { message, metadata = {} }: { message?: string; metadata?: Record<string, string> } = {},
): RpcError {
  const [code, defaultMessage] = ERRORS[reason];
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org", metadata };
  return { code, message: message ?? defaultMessage, data: [info] };
}
