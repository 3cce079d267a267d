import { isObject } from "../protocol/json.ts";
import type { RunRequest } from "./follow-run.ts";

export interface QuickStart {
  /** The address of the API, without a trailing slash. */
  readonly url: string;
  readonly assistant: string;
  readonly input: unknown;
  /** The question for a graph that takes messages; absent for a graph that takes data. */
  readonly question?: string;
  /** Set if the server requires a key. */
  readonly keyed: boolean;
}

const KEY_NAME = "GRAPHLIB_API_KEY";

export interface RunCall {
  /** The URL of the API, without a trailing slash. */
  readonly url: string;
  /** True if the server requires a key. */
  readonly keyed: boolean;
  /** The thread on which the run starts; null for a run without one. */
  readonly thread: string | null;
  readonly request: RunRequest;
}

/** Returns the body of the call that the curl line makes. "Run it here" makes the same call. */
export function quickRun({ assistant, input }: Pick<QuickStart, "assistant" | "input">) {
  return { assistant_id: assistant, input, stream_mode: "updates" as const };
}

export function curlSnippet(start: QuickStart): string {
  return runAsCurl(callOf(start));
}

/** Returns the call of a quick start: a run without a thread. */
function callOf({ url, keyed, assistant, input }: QuickStart): RunCall {
  return { url, keyed, thread: null, request: quickRun({ assistant, input }) };
}

/** Returns the call that starts this run as a line for a terminal. */
export function runAsCurl({ url, keyed, thread, request }: RunCall): string {
  const path = thread === null ? "/runs/stream" : `/threads/${thread}/runs/stream`;
  return curlCall(`${url}${path}`, { ...request }, { keyed, streams: true });
}

/** Returns the same call in one line, for a terminal. */
export function curlLine({ url, keyed, ...run }: Omit<QuickStart, "question">): string {
  const body = shellQuoted(JSON.stringify(quickRun(run)));
  return `curl -N ${shellQuoted(`${url}/runs/stream`)} -H "content-type: application/json"${keyHeader(keyed)} -d ${body}`;
}

function keyHeader(keyed: boolean): string {
  return keyed ? ` -H "x-api-key: $${KEY_NAME}"` : "";
}

export function a2aSnippet({ url, assistant, question, input, keyed }: QuickStart): string {
  const part =
    question === undefined ? { kind: "data", data: isObject(input) ? input : {} } : { kind: "text", text: question };
  const message = { kind: "message", messageId: "1", role: "user", parts: [part] };
  const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  return curlCall(`${url}/a2a/${encodeURIComponent(assistant)}`, body, { keyed });
}

/** Returns a POST of JSON. The key is a variable of the shell. `more` are headers whose values need no quoting. */
export function curlCall(
  url: string,
  body: Readonly<Record<string, unknown>>,
  { keyed, streams = false, more = {} }: { keyed: boolean; streams?: boolean; more?: Readonly<Record<string, string>> },
): string {
  const others = Object.entries(more).map(([name, value]) => ` -H "${name}: ${value}"`);
  return [
    `curl ${streams ? "-N " : ""}${shellQuoted(url)} \\`,
    `  -H "content-type: application/json"${others.join("")}${keyHeader(keyed)} \\`,
    `  -d ${shellQuoted(jsonLines(body))}`,
  ].join("\n");
}

/** Returns JSON with a line for each member of the outermost object, indented below `-d '{`. */
function jsonLines(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{${members.join(",\n       ")}}`;
}

/** Quotes a text as one word of a POSIX shell, if it needs quotes. */
function shellQuoted(text: string): string {
  return /^[\w:/.%~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function javascriptSnippet(start: QuickStart): string {
  return runAsJavaScript(callOf(start));
}

/** Returns the same call with the JavaScript SDK, whose options have the fields' names in camel case. */
export function runAsJavaScript({ url, keyed, thread, request }: RunCall): string {
  const { assistant_id, ...options } = request;
  const key = keyed ? `, apiKey: process.env.${KEY_NAME}` : "";
  const members = Object.entries(options).map(([name, value]) => `  ${camelCase(name)}: ${javascriptText(value)},`);
  return [
    "// npm install @langchain/langgraph-sdk",
    'import { Client } from "@langchain/langgraph-sdk";',
    "",
    `const client = new Client({ apiUrl: ${JSON.stringify(url)}${key} });`,
    `const stream = client.runs.stream(${JSON.stringify(thread)}, ${JSON.stringify(assistant_id)}, {`,
    ...members,
    "});",
    "for await (const { event, data } of stream) console.log(event, data);",
  ].join("\n");
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a value as JavaScript: JSON, but without quotes around keys that are names. */
function javascriptText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javascriptText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${nameText(name)}: ${javascriptText(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function nameText(name: string): string {
  // Without brackets this key, quoted or not, would set the prototype.
  if (name === "__proto__") return `["__proto__"]`;
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

export function pythonSnippet(start: QuickStart): string {
  return runAsPython(callOf(start));
}

/** Returns the same call with the Python SDK. */
export function runAsPython({ url, keyed, thread, request }: RunCall): string {
  const { assistant_id, ...options } = request;
  const key = keyed ? `, api_key=os.environ["${KEY_NAME}"]` : "";
  const members = Object.entries(options).map(([name, value]) => `    ${name}=${pythonText(value)},`);
  return [
    "# pip install langgraph-sdk",
    ...(keyed ? ["import os"] : []),
    "from langgraph_sdk import get_sync_client",
    "",
    `client = get_sync_client(url=${JSON.stringify(url)}${key})`,
    "stream = client.runs.stream(",
    `    ${thread === null ? "None" : JSON.stringify(thread)}, ${JSON.stringify(assistant_id)},`,
    ...members,
    ")",
    "for part in stream:",
    "    print(part.event, part.data)",
  ].join("\n");
}

function pythonText(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonText(member)}`);
  return `{${members.join(", ")}}`;
}
