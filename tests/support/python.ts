/** Runs Python programs that drive a server by official Python clients, as a check that this project did not write. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Python {
  /**
   * Runs `tests/api/python/<program>.py` with `input` as its argument, in JSON. Resolves with its output, parsed from
   * JSON; rejects with its traceback when it fails.
   */
  run(program: string, input: object): Promise<unknown>;
  /** Starts such a program without waiting for it: the test writes to its standard input and reads its output. */
  start(program: string, input: object): ChildProcessWithoutNullStreams;
}

const PROGRAMS = fileURLToPath(new URL("../api/python", import.meta.url));
const KEPT = fileURLToPath(new URL("../../node_modules/.cache/python", import.meta.url));
/** The oldest Python version that the clients' packages support. */
const OLDEST = [3, 11] as const;

/**
 * Returns a Python with the packages of `tests/api/python/<client>.txt` and no others. Returns undefined, with a
 * warning, when the machine has no Python or no pip.
 */
export function pythonWith(client: string): Python | undefined {
  const lacking = whatIsLacking();
  if (lacking) {
    console.warn(`${lacking}: the tests by ${client} for Python were left out.`);
    return undefined;
  }
  const packages = installed(client);
  return {
    start: (program, input) => start(packages, program, input),
    run: (program, input) => run(start(packages, program, input), program),
  };
}

function whatIsLacking(): string | undefined {
  const { status, stdout } = spawnSync("python3", ["-c", "import sys; print(*sys.version_info[:2])"], {
    encoding: "utf8",
  });
  const [major = 0, minor = 0] = status === 0 ? stdout.split(" ").map(Number) : [];
  const oldest = OLDEST.join(".");
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `There is no python3 of ${oldest} or newer`;
  return spawnSync("python3", ["-m", "pip", "--version"]).status === 0 ? undefined : "python3 has no pip";
}

/** Returns the folder with the packages, and installs them when no earlier run has. */
function installed(client: string): string {
  const list = join(PROGRAMS, `${client}.txt`);
  const { stdout: version } = spawnSync("python3", ["-VV"], { encoding: "utf8" });
  const key = createHash("sha256").update(version).update(readFileSync(list)).digest("hex").slice(0, 16);
  const folder = join(KEPT, `${client}-${key}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${randomUUID()}`;
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore"];
  const args = ["-m", "pip", "install", ...quiet, "--no-deps", "--only-binary=:all:", "--target", made, "-r", list];
  const { status, stderr } = spawnSync("python3", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`pip could not install ${client}:\n${stderr}`);
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another test file has installed them in the meantime.
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function start(packages: string, program: string, input: object): ChildProcessWithoutNullStreams {
  // Without `site`, Python does not find packages of the machine.
  const args = ["-S", "-B", join(PROGRAMS, `${program}.py`), JSON.stringify(input)];
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    PATH: process.env.PATH,
    PYTHONPATH: packages,
    PYTHONUNBUFFERED: "1",
    PYTHONWARNINGS: "ignore",
  };
  const child = spawn("python3", args, { env });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}

async function run(child: ChildProcessWithoutNullStreams, program: string): Promise<unknown> {
  let [stdout, stderr] = ["", ""];
  child.stdin.end();
  child.stdout.on("data", (text: string) => (stdout += text));
  child.stderr.on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${program}.py ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}
