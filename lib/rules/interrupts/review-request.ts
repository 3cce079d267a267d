/**
 * Reads requests to review tool calls before they run, in the form of LangChain's human-in-the-loop middleware
 * (https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop), and in that of the older Agent Inbox
 * (https://github.com/langchain-ai/agent-inbox). Each call gets one decision. A resume has all decisions in order.
 */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { type Choice, type Field, fieldOf } from "./answer-form.ts";

/** The middleware spells its keys in two ways: camelCase in JavaScript, snake_case in Python and in older clients. */
export type ReviewShape = "camel" | "snake" | "inbox";

export interface ReviewedAction {
  readonly name: string;
  readonly args: JsonObject;
  readonly description?: string;
  /** The decisions that are allowed, each with its form fields. */
  readonly choices: readonly Choice[];
}

export interface ReviewRequest {
  readonly shape: ReviewShape;
  readonly actions: readonly ReviewedAction[];
}

/** The decision on one action. `given` has the fields of the choice. */
export interface ReviewDecision {
  readonly choice: string;
  readonly given: JsonObject;
}

const DECISIONS = ["approve", "edit", "respond", "reject"] as const;
type DecisionType = (typeof DECISIONS)[number];

/** Reads the value of an interrupt as a request; undefined when it is something else. Total. */
export function readReview(value: unknown): ReviewRequest | undefined {
  if (!isObject(value)) return readInbox(value);
  const shape = "actionRequests" in value ? "camel" : "snake";
  const requests = listOf(value.actionRequests ?? value.action_requests);
  const configs = listOf(value.reviewConfigs ?? value.review_configs);
  if (!requests || !configs) return readInbox([value]);
  const actions = requests.map((request) => readAction(request, configs));
  return complete(shape, actions);
}

function readAction(
  { name, args, description }: JsonObject,
  configs: readonly JsonObject[],
): ReviewedAction | undefined {
  if (typeof name !== "string") return undefined;
  const config = configs.find((one) => (one.actionName ?? one.action_name) === name) ?? {};
  const allowed = config.allowedDecisions ?? config.allowed_decisions;
  const schema = config.argsSchema ?? config.args_schema;
  const decisions = DECISIONS.filter((one) => !Array.isArray(allowed) || allowed.includes(one));
  return actionOf(name, args, description, { decisions, schema });
}

/** Reads a request of the Agent Inbox, which is a list with one item. */
function readInbox(value: unknown): ReviewRequest | undefined {
  const actions = listOf(value)?.map(({ action_request: request, config, description }) => {
    if (!isObject(request) || !isObject(config) || typeof request.action !== "string") return undefined;
    const flags = { approve: "accept", edit: "edit", respond: "respond", reject: "ignore" } as const;
    const decisions = DECISIONS.filter((one) => config[`allow_${flags[one]}`] === true);
    return actionOf(request.action, request.args, description, { decisions });
  });
  return actions && complete("inbox", actions);
}

function complete(shape: ReviewShape, actions: readonly (ReviewedAction | undefined)[]): ReviewRequest | undefined {
  const known = actions.filter((one) => one !== undefined);
  const canAnswer = known.length > 0 && known.length === actions.length && known.every((one) => one.choices.length > 0);
  return canAnswer ? { shape, actions: known } : undefined;
}

/** The end of the middleware's own descriptions. It repeats the call, whose arguments are shown as fields. */
const CALL = /\n\nTool: [^\n]*\nArgs: [^]*$/;

function actionOf(
  name: string,
  given: unknown,
  description: unknown,
  { decisions, schema }: { decisions: readonly DecisionType[]; schema?: unknown },
): ReviewedAction {
  const args = isObject(given) ? given : {};
  return {
    name,
    args,
    ...(typeof description === "string" && { description: description.replace(CALL, "") }),
    choices: decisions.map((value) => ({ value, fields: fieldsOf(value, args, schema) })),
  };
}

function fieldsOf(decision: DecisionType, args: JsonObject, schema: unknown): readonly Field[] {
  if (decision === "approve") return [];
  if (decision === "edit") return argumentFields(args, schema);
  const label = decision === "reject" ? "Reason" : "Response";
  return [{ name: "message", kind: "text", label, required: decision === "respond", options: [], start: "" }];
}

/** Returns a field for each argument, with the value of the call as its start. */
function argumentFields(args: JsonObject, schema: unknown): readonly Field[] {
  const { properties, required } = isObject(schema) ? schema : {};
  const known = isObject(properties) ? properties : {};
  return [...new Set([...Object.keys(args), ...Object.keys(known)])].map((name): Field => {
    const about = isObject(known[name]) ? known[name] : {};
    const field = fieldOf(name, about, Array.isArray(required) && required.includes(name), "");
    const value = args[name];
    if (value === undefined) return field;
    if (typeof value === "string") return { ...field, kind: field.kind === "choice" ? "choice" : "text", start: value };
    if (typeof value === "number") return { ...field, kind: "number", required: true, start: String(value) };
    if (typeof value === "boolean") return { ...field, kind: "boolean", start: String(value) };
    return { ...field, kind: "json", required: true, start: JSON.stringify(value, null, 2) };
  });
}

/** Returns the resume value for the decisions, one for each action in the same order. */
export function resumeOf({ shape, actions }: ReviewRequest, decisions: readonly ReviewDecision[]): unknown {
  const all = decisions.flatMap((decision, place) => {
    const action = actions[place];
    return action
      ? [shape === "inbox" ? inboxDecision(action, decision) : middlewareDecision(shape, action, decision)]
      : [];
  });
  return shape === "inbox" ? all : { decisions: all };
}

function middlewareDecision(shape: ReviewShape, action: ReviewedAction, { choice, given }: ReviewDecision): JsonObject {
  if (choice !== "edit") return { type: choice, ...given };
  const edited = { name: action.name, args: editedArgs(action, given) };
  return { type: choice, [shape === "camel" ? "editedAction" : "edited_action"]: edited };
}

function inboxDecision(action: ReviewedAction, { choice, given }: ReviewDecision): JsonObject {
  if (choice === "edit") return { type: "edit", args: { action: action.name, args: editedArgs(action, given) } };
  if (choice === "respond") return { type: "response", args: given.message ?? "" };
  return { type: choice === "approve" ? "accept" : "ignore", args: null };
}

/** Returns the edited arguments. An emptied text stays an argument; an empty field for a new one adds none. */
function editedArgs({ args }: ReviewedAction, given: JsonObject): JsonObject {
  const edited: JsonObject = {};
  for (const [name, value] of Object.entries(args)) edited[name] = typeof value === "string" ? "" : value;
  return { ...edited, ...given };
}

/** Returns the list when the value is a list of objects; undefined otherwise. */
function listOf(value: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isObject) ? value : undefined;
}
