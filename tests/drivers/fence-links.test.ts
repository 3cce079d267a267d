/** Tests that a fenced command finds programs to which links in folders of the system lead. */
import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { probeFence } from "../../lib/drivers/fence/probe.ts";

const found = await probeFence({ path: "/usr/bin:/bin", hidden: [] });
const fence = "fence" in found ? found.fence : undefined;
const BIN = "/usr/local/bin";
const own = join(BIN, `graphlib-${process.pid}`);

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

let folder: string;
beforeAll(() => {
  if (!mayWrite(BIN)) return;
  folder = mkdtempSync("/var/tmp/graphlib-fence-");
  mkdirSync(join(folder, "1.0/bin"), { recursive: true });
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "other/secret"), "");
  writeFileSync(join(folder, "1.0/bin/tool"), "#!/bin/sh\necho ran\n");
  chmodSync(join(folder, "1.0/bin/tool"), 0o755);
  symlinkSync("1.0", join(folder, "current"));
  symlinkSync("current/bin/tool", join(folder, "tool"));
  mkdirSync(own);
  for (const [name, to] of Object.entries({
    straight: join(folder, "1.0/bin/tool"),
    "by-folder": join(folder, "current/bin/tool"),
    "by-links": join(folder, "tool"),
    relative: `../../../..${folder}/tool`,
    twice: "by-links",
    package: join(folder, "current"),
    system: "/bin/sh",
  })) {
    symlinkSync(to, join(own, name));
  }
});
afterAll(() => {
  rmSync(own, { recursive: true, force: true });
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const inFence = (program: string, args: string[], reads: string[]) => {
  if (!fence) throw new Error("no fence");
  const options = { program, args, reads, writes: [], env: { NODE_ENV: "test" }, cwd: "/", network: false } as const;
  const wrapped = fence.wrap(options);
  const { stdout, stderr } = spawnSync(wrapped.program, wrapped.args, { env: wrapped.env, encoding: "utf8" });
  return stdout + stderr;
};

test.runIf(fence && mayWrite(BIN)).each(["straight", "by-folder", "by-links", "relative", "twice", "package/bin/tool"])(
  "a program runs, and its file can be read, that a link of the system leads to: %s",
  (name) => {
    const path = join(own, name);
    expect(execFileSync(path, { encoding: "utf8" })).toBe("ran\n");
    expect(inFence(path, [], [])).toBe("ran\n");
    expect(inFence("/bin/cat", [path], [path])).toBe("#!/bin/sh\necho ran\n");
    expect(inFence("/bin/ls", [join(folder, "other/secret")], [path])).toMatch(/No such file/);
  },
);

test.runIf(fence && mayWrite(BIN))("a link to a mounted file is left as it is", () => {
  expect(inFence(join(own, "system"), ["-c", "echo well"], [])).toBe("well\n");
});

test.runIf(fence)("certificates of the system are found by every name that they have", () => {
  const paths = ["/etc/ssl/certs", "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/usr/lib/ssl/certs"];
  expect(inFence("/bin/echo", ["well"], paths)).toBe("well\n");
});
