// Names in package-lock.json the optional packages of every other platform. npm leaves out those that its registry does
// not have, and then `npm ci` refuses the whole file. Run it after `npm install <package>` behind a partial registry.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PATH = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const lock = JSON.parse(readFileSync(PATH, "utf8"));

/** Where Node would find `name` from the package at `path`, if the lock has it. */
function locate(path, name) {
  const near = `${path ? `${path}/` : ""}node_modules/${name}`;
  if (lock.packages[near] || !path) return lock.packages[near] && near;
  return locate(path.slice(0, Math.max(0, path.lastIndexOf("node_modules/") - 1)), name);
}

/** `@scope/binding-linux-x64-gnu` runs on linux, x64, glibc. */
function platformOf(name) {
  if (name.endsWith("wasm32-wasi")) return { cpu: "wasm32" };
  const [, os, cpu, abi = ""] =
    /(aix|android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/.exec(
      name,
    ) ?? [];
  if (!os) throw new Error(`No platform is to be read from ${name}: add it by hand.`);
  if (os !== "linux" || !abi) return { cpu, os };
  return { cpu, os, libc: abi.startsWith("musl") ? "musl" : "glibc" };
}

const added = [];
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (locate(path, name)) continue;
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
      throw new Error(`${path} asks for ${name}@${version}: add it by hand.`);
    const { cpu, os, libc } = platformOf(name);
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(dev && { dev }),
      ...(libc && { libc: [libc] }),
      optional: true,
      ...(os && { os: [os] }),
    };
    added.push(`${name}@${version}`);
  }
}

const byPath = ([a], [b]) => a.localeCompare(b, "en");
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(byPath));
if (added.length > 0) writeFileSync(PATH, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${added.length} packages of other platforms added`);
