/** Reads the types of an application's graphs in a process of its own, which runs no code of the application. */
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import type { TypesOrder } from "../../protocol/compile.ts";
import { unfenced, type Wrap } from "../fence/fence.ts";
import { isObject } from "../../protocol/json.ts";
import type { SourceTypes } from "../../protocol/worker.ts";
import { killGroup } from "../processes.ts";
import { endGroup, registerGroup, newTag } from "../reaper.ts";
import type { CompilerOptions } from "./compile.ts";
import { errorMessage } from "../../rules/text/error-message.ts";

/** A caller waits for the result. It takes a second on an idle machine. */
const LIMIT_MS = 30_000;
const REPORT_CHARS = 16 * 1024 * 1024;
const MEMORY_MB = 768;

export interface TypesOptions extends Pick<CompilerOptions, "cache"> {
  /** The path of `lib/worker/read-types.ts`. */
  main: string;
  /** Flags that restrict Node.js to the files of the application. */
  flags: readonly string[];
  /** Puts the process behind a fence where there is one. */
  wrap?: Wrap;
  order: TypesOrder;
  /** Gets the reason why no types were found. */
  warn: (message: string) => void;
}

/** Reads the types of all graphs at the first call, again only if it failed. Never rejects: such types are empty. */
export function createReadTypes(options: TypesOptions): (graph: string) => Promise<SourceTypes> {
  let cached: Promise<unknown> | undefined;
  return async (graph) => {
    const reading = (cached ??= readTypes(options));
    try {
      const types = await reading;
      const found = isObject(types) ? types[graph] : undefined;
      return isObject(found) ? found : {};
    } catch (cause) {
      if (cached === reading) cached = undefined;
      options.warn(`the types of its graphs could not be read: ${errorMessage(cause)}`);
      return {};
    }
  };
}

/** Runs at normal priority, unlike a build. */
async function readTypes({ main, cache, flags, wrap = unfenced, order }: TypesOptions): Promise<unknown> {
  const tag = newTag();
  const cwd = dirname(main);
  const { program, args, env } = wrap({
    program: process.execPath,
    args: [`--max-old-space-size=${MEMORY_MB}`, ...flags, main],
    env: { NODE_ENV: "production", NODE_COMPILE_CACHE: cache, [tag.name]: tag.value },
    cwd,
  });
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { pid } = child;
  const kill = (why: string): void => {
    reject(new Error(why));
    if (pid !== undefined) killGroup(pid);
  };
  const limit = setTimeout(() => kill(`it took longer than ${LIMIT_MS / 1000} s`), LIMIT_MS);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.length > REPORT_CHARS) kill("there are too many");
  });
  child.on("error", reject);
  child.stdin.on("error", reject).end(JSON.stringify(order));
  child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}`))));
  if (pid !== undefined) {
    registerGroup(pid);
    child.on("exit", () => endGroup(pid, tag));
  }
  try {
    return JSON.parse(await promise) as unknown;
  } finally {
    clearTimeout(limit);
  }
}
