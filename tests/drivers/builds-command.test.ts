import { spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type CommandOptions, runCommand } from "../../lib/drivers/builds/command.ts";
import { StepFailure } from "../../lib/engine/ports/builds.ts";
import { isAlive, LEAVING_TREE, pidsIn, STAYING_TREE } from "../support/process-tree.ts";

const HOLDER = fileURLToPath(new URL("../support/hold-command.ts", import.meta.url));
const PATH = process.env.PATH ?? "";
const MB = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "graphlib-command-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  code: number;
  lines: string[];
  streams: string[];
}

async function run(file: string, args: string[], options: Partial<CommandOptions> = {}): Promise<Ran> {
  const written: { stream: string; text: string }[] = [];
  const code = await runCommand({
    file,
    args,
    cwd: folder,
    env: { PATH },
    signal: new AbortController().signal,
    writeLine: (line) => void written.push(line),
    ...options,
  });
  return { code, lines: written.map(({ text }) => text), streams: written.map(({ stream }) => stream) };
}

const script = (text: string, options?: Partial<CommandOptions>) => run(process.execPath, ["-e", text], options);

/** Starts a script, waits for the process ids that it prints, and returns them with a controller that aborts it. */
async function started(text: string, options: Partial<CommandOptions> = {}) {
  const abort = new AbortController();
  const lines: string[] = [];
  const running = run(process.execPath, ["-e", text], {
    signal: abort.signal,
    writeLine: (line) => void lines.push(line.text),
    ...options,
  });
  running.catch(() => {});
  const pids = await vi.waitFor(() => pidsIn(lines) ?? expect.fail("no process ids yet"), { timeout: 20_000 });
  return { abort, running, pids };
}

describe("a command", () => {
  test("returns its exit code and logs its output line by line, by stream", async () => {
    const ran = await script(
      `console.log("a\\nb"); console.error("c"); process.stdout.write("d"); process.exitCode = 7;`,
    );
    expect(ran.code).toBe(7);
    expect(ran.lines.toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(ran.streams.filter((stream) => stream === "err")).toEqual(["err"]);
  });

  test("gets its arguments as they are, its folder, its input, and no environment but its own", async () => {
    const args = ["a b", "$(id)", "`id`", "'\"", "line\nbreak", "-n", "*", "\\", ""];
    const show = `let input = ""; process.stdin.on("data", (text) => input += text).on("end", () => {
      const { PWD, OLDPWD, SHLVL, _, ...env } = process.env;
      console.log(JSON.stringify({ args: process.argv.slice(1), cwd: process.cwd(), input, env }));
    });`;
    const { lines } = await run(process.execPath, ["-e", show, "--", ...args], {
      env: { PATH, OWN: "1" },
      input: "in\nput",
    });
    const { env = {}, ...seen } = JSON.parse(lines.join("")) as Record<string, object>;
    expect(seen).toEqual({ args, cwd: folder, input: "in\nput" });
    expect(Object.keys(env).toSorted()).toEqual(["GRAPHLIB_COMMAND", "OWN", "PATH"]);
  });

  test("runs at low priority, and is the first that the system kills when memory is short", async () => {
    const { lines } = await run("sh", ["-c", "nice; cat /proc/self/oom_score_adj"]);
    expect(lines).toEqual(["10", "800"]);
  });

  test("that does not exist is named in the failure", async () => {
    const error = await run("no-such-program", []).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StepFailure);
    expect(error).toMatchObject({ message: "There is no program called no-such-program on this server" });
  });

  test("passes its output as bytes to a listener, and ends when the listener throws", async () => {
    const pieces: Buffer[] = [];
    const { lines } = await run("printf", ["a\\0b"], { output: (bytes) => void pieces.push(bytes) });
    expect([Buffer.concat(pieces).toString("latin1"), lines]).toEqual(["a\0b", []]);
    const refuse = () => {
      throw new Error("enough");
    };
    await expect(run("yes", [], { output: refuse })).rejects.toThrow("enough");
  });

  test("keeps its colours, and logs an overwritten line once", async () => {
    const { lines } = await run("printf", ["\\033[31mred\\033[0m\\r\\n1%%\\r50%%\\r100%%\\n"]);
    expect(lines).toEqual(["\u001B[31mred\u001B[0m", "100%"]);
  });

  test("that floods its output is logged in part and slowed down", async () => {
    const { lines } = await script(`
      const text = "x".repeat(60) + "\\n";
      for (let i = 0; i < 40000; i++) process.stdout.write(i + text);
      process.stdout.write("the end\\n");
    `);
    expect(lines.length).toBeLessThan(10_000);
    expect(lines.some((line) => /^\(\d+ lines left out\)$/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe("the end");
  });
});

describe("nothing outlives a command", () => {
  test("that was aborted, whatever its children do against it", async () => {
    const { abort, running, pids } = await started(STAYING_TREE);
    expect(pids.filter(isAlive)).toEqual(pids);
    const abortedAt = performance.now();
    abort.abort(new Error("cancelled by you"));
    await expect(running).rejects.toThrow("cancelled by you");
    expect(performance.now() - abortedAt).toBeLessThan(5_000);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("that ended by itself and left children", async () => {
    const { running, pids } = await started(LEAVING_TREE);
    expect((await running).code).toBe(3);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("that exceeded its time limit", async () => {
    const signal = AbortSignal.timeout(300);
    await expect(run("sleep", ["1000"], { signal })).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
  });

  test("whose platform was killed with -9", async () => {
    const holder = spawn(process.execPath, [HOLDER, process.execPath, "-e", STAYING_TREE], { cwd: folder });
    let output = "";
    holder.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const pids = await vi.waitFor(() => pidsIn(output.split("\n").slice(0, -1)) ?? expect.fail("not yet"), 20_000);
    expect(pids.filter(isAlive)).toEqual(pids);
    holder.kill("SIGKILL");
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 10_000);
  });

  test("that was never started, because it was aborted before", async () => {
    await expect(
      run("touch", [join(folder, "touched")], { signal: AbortSignal.abort(new Error("no")) }),
    ).rejects.toThrow("no");
    await expect(realpath(join(folder, "touched"))).rejects.toThrow("ENOENT");
  });
});

describe("a command is ended with a clear message when it", () => {
  test("writes a file that is too large, even a sparse one", async () => {
    const failed = run("truncate", ["-s", "3G", "large"]);
    await expect(failed).rejects.toThrow("truncate wrote a file of more than 2 GB");
  });

  test("fills its folder", async () => {
    const fill = `let n = 0; setInterval(() => require("fs").writeFileSync("f" + n++, Buffer.alloc(${MB}, 1)), 10);`;
    const place = await mkdtemp(join(folder, "fill-"));
    const failed = script(fill, { cwd: place, limits: { diskBytes: 5 * MB, fileBytes: 100 * MB } });
    await expect(failed).rejects.toThrow("node filled its folder with more than 5 MB");
    await expect(failed).rejects.toBeInstanceOf(StepFailure);
  });

  test("has filled its folder by the time it ends", async () => {
    const place = await mkdtemp(join(folder, "fill-"));
    await writeFile(join(place, "large"), Buffer.alloc(6 * MB, 1));
    const failed = run("sleep", ["0.6"], { cwd: place, limits: { diskBytes: 5 * MB } });
    await expect(failed).rejects.toThrow("sleep filled its folder with more than 5 MB");
  });

  test("uses too much memory in all its processes together", async () => {
    const eat = `const keep = []; setInterval(() => keep.push(Buffer.alloc(${MB}, 1)), 5)`;
    const failed = script(`require("child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(eat)}])`, {
      limits: { memoryBytes: 150 * MB },
    });
    await expect(failed).rejects.toThrow("node used more than 150 MB of memory");
  });
});
