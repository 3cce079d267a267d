/**
 * Calls the official `langgraph-sdk` for Python, one call at a time, in two versions and as asynchronous and
 * synchronous client.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe } from "vitest";
import { pythonWith } from "../support/python.ts";

/** The newest version, and the last one without streams of threads. */
const VERSIONS = ["0.4.14", "0.3.15"] as const;
const KINDS = ["async", "sync"] as const;

export interface PythonClient {
  /** Calls `client.<method>(*args, **options)`. Resolves with its result, or with all items that it yielded. */
  call<T = Record<string, unknown>>(method: string, args?: unknown[], options?: object): Promise<T>;
  /** Reads this many items of a call's iterator, and leaves. */
  take<T = Part>(most: number, method: string, args?: unknown[], options?: object): Promise<T[]>;
  /** Calls with `on_run_created` and resolves with its argument; the callback must be called once. */
  created(method: string, args?: unknown[], options?: object): Promise<{ run_id: string; thread_id: string | null }>;
  close(): Promise<void>;
}

/** An event of a stream. */
export interface Part<T = Record<string, unknown>> {
  event: string;
  data: T;
  id?: string | null;
}

interface Raised {
  kinds: string[];
  message: string;
  status_code: number | null;
  body: unknown;
}

/** An exception of the client. */
export class PythonError extends Error {
  /** The names of its class and of all its base classes. */
  readonly kinds: string[];
  readonly status: number | null;
  /** The body of the server's response. */
  readonly body: unknown;

  constructor({ kinds, message, status_code, body }: Raised) {
    super(message);
    this.kinds = kinds;
    this.status = status_code;
    this.body = body;
  }
}

export interface ClientOptions {
  url: string;
  key?: string;
  headers?: Record<string, string>;
}

type Open = (options: ClientOptions) => PythonClient;

const installed = VERSIONS.map((version) => [version, pythonWith(`langgraph-sdk-${version}`)] as const);

/** Tests are skipped where there is no Python for the clients. */
export const describePython = installed.every(([, python]) => python) ? describe.concurrent : describe.skip;

/** Each client by its name. */
export const clients: [string, Open][] = installed.flatMap(([version, python]) =>
  KINDS.map((kind): [string, Open] => [`${version}, ${kind}`, (options) => open(python, kind, options)]),
);

/** Runs a program with the newest client. */
export async function runPython(program: string, input: object): Promise<unknown> {
  return await installed[0]?.[1]?.run(program, input);
}

interface CallResult {
  id: number;
  returned?: unknown;
  created?: never[];
  raised?: Raised;
}

function open(
  python: ReturnType<typeof pythonWith>,
  kind: (typeof KINDS)[number],
  options: ClientOptions,
): PythonClient {
  if (!python) throw new Error("There is no Python");
  const child = python.start("langgraph_calls", { ...options, kind });
  const waiting = new Map<number, (answer: CallResult) => void>();
  const ended = once(child, "close");
  let [calls, stderr] = [0, ""];
  child.stderr.on("data", (text: string) => (stderr += text));
  createInterface(child.stdout).on("line", (line) => {
    const answer = JSON.parse(line) as CallResult;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const send = async (method: string, args: unknown[] = [], options: object = {}, more: object = {}) => {
    const id = ++calls;
    const answered = new Promise<CallResult>((resolve) => waiting.set(id, resolve));
    const call = { id, call: method, args, options, take: null, observed: false, ...more };
    child.stdin.write(`${JSON.stringify(call)}\n`);
    const answer = await Promise.race([answered, ended]);
    if (!("id" in answer)) throw new Error(`The client ended:\n${stderr}`);
    if (answer.raised) throw new PythonError(answer.raised);
    return answer;
  };
  return {
    call: async <T>(...args: [string, unknown[]?, object?]) => (await send(...args)).returned as T,
    take: async <T>(most: number, method: string, args?: unknown[], options?: object) =>
      (await send(method, args, options, { take: most })).returned as T[],
    async created(...args) {
      const { created: [run, ...others] = [] } = await send(args[0], args[1], args[2], { observed: true });
      if (!run || others.length > 0) throw new Error("on_run_created was not called once");
      return run;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
