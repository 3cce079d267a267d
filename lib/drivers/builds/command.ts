import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { StepFailure, type StepContext, type WriteLine } from "../../engine/ports/builds.ts";
import type { NewLine } from "../../protocol/revisions.ts";
import { createLineBudget, createLineSplitter, type LineBudget } from "../../rules/text/output-lines.ts";
import { unfenced, type Wrap } from "../fence/fence.ts";
import { findProgram } from "../find-program.ts";
import { readPaced } from "../paced.ts";
import { asProcessEnv, type CommandEnvironment, type Guarded, startGuarded } from "./guard.ts";
import { sizeText, tooLarge, watchUsage } from "../usage.ts";

const GB = 1024 ** 3;
const DISK_BYTES = 2 * GB;
const MEMORY_BYTES = 4 * GB;
/** Exit codes of a shell after `SIGKILL`, and after `SIGXFSZ` for a file that grew too large. */
const KILLED = 137;
const FILE_TOO_LARGE = 153;
/** The shortest time between two states of a progress line that are logged. */
const PROGRESS_MS = 5_000;

export interface CommandLimits {
  /** The size of a single file; `diskBytes` when left out. */
  fileBytes?: number;
  /** The size of everything in `folder`; 2 GB when left out. */
  diskBytes?: number;
  /** The folder whose size counts; `cwd` when left out. */
  folder?: string;
  /** The memory of all its processes together; 4 GB when left out. */
  memoryBytes?: number;
}

export interface CommandOptions extends StepContext {
  /** An absolute path, or a name to look up in `env.PATH`. */
  file: string;
  /** Arguments as they are: no shell reads them. */
  args: readonly string[];
  cwd: string;
  /** The whole environment of the command. */
  env: CommandEnvironment;
  /** Puts the command behind a fence where there is one. */
  wrap?: Wrap;
  /** The user of the process; the server's own when left out. */
  user?: { uid: number; gid: number };
  /** The standard input; none when left out. */
  input?: string;
  /** Gets the bytes of the standard output, which are then not logged. An error that it throws ends the command. */
  output?: (bytes: Buffer) => void;
  limits?: CommandLimits;
}

/**
 * Runs a program in a process group of its own, at low priority, and logs its output line by line. Resolves to the exit
 * code when no process of the group is left. Throws `StepFailure` for a missing program and for too much disk or
 * memory, and the signal's reason within two seconds of an abort.
 */
export async function runCommand(command: CommandOptions): Promise<number> {
  const { file, cwd, input, user, signal, limits = {}, wrap = unfenced } = command;
  const name = basename(file);
  const { diskBytes = DISK_BYTES, fileBytes = diskBytes, folder = cwd, memoryBytes = MEMORY_BYTES } = limits;
  const found = await findProgram(file, command.env.PATH ?? "");
  if (found === undefined) {
    const fix = `Install ${name} where the server finds it, and start the server again`;
    throw new StepFailure(`There is no program called ${name} on this server`, { fix });
  }
  const { program, args, env } = wrap({ program: found, args: command.args, env: asProcessEnv(command.env), cwd });
  signal.throwIfAborted();
  const group = await startGuarded({ program, args, cwd, env, input, user, fileBytes, tag: randomUUID() });
  const failed = new AbortController();
  const stop = (): void => group.stop();
  const stopping = AbortSignal.any([signal, failed.signal]);
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const usage = watchUsage({ name, pid: group.pid, folder, diskBytes, memoryBytes }, (why) => failed.abort(why));
  const logging = logOutput(group, command, (why) => failed.abort(why));
  const code = await group.ended;
  usage.close();
  stopping.removeEventListener("abort", stop);
  logging.end();
  stopping.throwIfAborted();
  await usage.finish();
  if (code === FILE_TOO_LARGE) throw tooLarge(`${name} wrote a file of more than ${sizeText(fileBytes)}`);
  if (code === KILLED) {
    const fix = "Try again; if it happens again, give this server more memory";
    throw new StepFailure(`${name} was killed, perhaps because the server's memory was used up`, { fix });
  }
  return code;
}

type OutputLine = Omit<NewLine, "step">;

function logOutput({ out, err }: Guarded, { output, writeLine }: CommandOptions, fail: (why: unknown) => void) {
  const budget = createLineBudget<OutputLine>((lines) => ({ stream: "us", text: `(${lines} lines left out)` }));
  const finishers = [logLines("err", err, budget, writeLine)];
  if (!output) finishers.push(logLines("out", out, budget, writeLine));
  else {
    out.on("data", (bytes: Buffer) => {
      try {
        output(bytes);
      } catch (error) {
        fail(error);
      }
    });
  }
  return {
    end() {
      for (const end of finishers) end();
      budget.end().forEach(writeLine);
    },
  };
}

/** Logs a stream line by line. Returns a function that logs the rest. */
function logLines(stream: "out" | "err", from: Readable, budget: LineBudget<OutputLine>, writeLine: WriteLine) {
  const lines = createLineSplitter();
  const log = (texts: readonly string[]): void => {
    for (const text of texts) for (const line of budget.add({ stream, text }, performance.now())) writeLine(line);
  };
  let loggedAt = performance.now();
  readPaced(from, (piece) => {
    log(lines.write(piece));
    const now = performance.now();
    const progress = now - loggedAt >= PROGRESS_MS ? lines.progress() : undefined;
    if (progress !== undefined) {
      log([progress]);
      loggedAt = now;
    }
  });
  return () => log(lines.end());
}
