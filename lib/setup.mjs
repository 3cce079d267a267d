// Prepares a fresh clone for `npm start`, `npm run dev` and `npm test`: `node lib/setup.mjs start | install | test`.
// It runs before anything is installed, so it is plain JavaScript for Node 20 without packages.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { hostname } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WINDOWS = process.platform === "win32";
const RUNTIME = join(ROOT, "node_modules", "node", "bin", WINDOWS ? "node.exe" : "node");
const BUILD_STAMP = join(ROOT, ".next", "graphlib-inputs");
const BUILD_FOLDERS = ["app", "lib", "public"];
const BUILD_FILES = /^(package(-lock)?\.json|tsconfig\.json|instrumentation.*\.ts|(next|postcss)\.config\..+|\.env.*)$/;
const LOCK = join(ROOT, ".graphlib", "setup.lock");
const HEARTBEAT_MS = 2_000;
const ABANDONED_MS = 30_000;

class SetupError extends Error {}

/** Checks a value against the `os` or `cpu` field of a package: bare words are allowed values, `!word` is forbidden. */
function fits(list, value) {
  if (!list) return true;
  return list.includes(value) || (list.every((word) => word.startsWith("!")) && !list.includes(`!${value}`));
}

function readPackages(path) {
  try {
    return JSON.parse(fs.readFileSync(join(ROOT, path), "utf8")).packages ?? {};
  } catch {
    return {};
  }
}

// npm removes node_modules/.package-lock.json first and writes it last, after every install script, so it proves that
// an installation was completed.
function whyNotInstalled(withDev) {
  const wanted = readPackages("package-lock.json");
  const present = readPackages(join("node_modules", ".package-lock.json"));
  if (!fs.existsSync(RUNTIME)) return "node_modules has no Node runtime";
  for (const [path, want] of Object.entries(wanted)) {
    if (!path.startsWith("node_modules/")) continue;
    const have = present[path];
    const optional = want.optional || (!withDev && (want.dev || want.devOptional));
    if (!have && !optional) return `${path} is missing`;
    if (have && (have.version !== want.version || have.integrity !== want.integrity)) return `${path} differs`;
    if (have && !(fits(have.os, process.platform) && fits(have.cpu, process.arch)))
      return `${path} is for another machine`;
  }
  const extra = Object.keys(present).find((path) => !wanted[path]);
  return extra && `${extra} is not in package-lock.json`;
}

function filesIn(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return fs.statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

// Hashes contents rather than times, so that a checkout that only touches files keeps the build. Takes about 20 ms for a
// few hundred files.
function hashInputs() {
  const top = fs.readdirSync(ROOT).filter((name) => BUILD_FILES.test(name));
  const files = [...top.map((name) => join(ROOT, name)), ...BUILD_FOLDERS.flatMap((name) => filesIn(join(ROOT, name)))];
  const all = createHash("sha256");
  for (const file of files.toSorted()) {
    const content = createHash("sha256").update(fs.readFileSync(file)).digest("hex");
    all.update(`${file.slice(ROOT.length)}\0${content}\n`);
  }
  return all.digest("hex");
}

function isBuilt(inputs) {
  try {
    return fs.readFileSync(BUILD_STAMP, "utf8") === inputs && fs.existsSync(join(ROOT, ".next", "BUILD_ID"));
  } catch {
    return false;
  }
}

/** Returns the caller's environment without the Node and npm below node_modules, which may be replaced meanwhile. */
function hostEnv(extra) {
  const env = { ...process.env, ...extra };
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const folders = (env[key] ?? "").split(delimiter).filter((folder) => !folder.startsWith(join(ROOT, "node_modules")));
  return { ...env, [key]: folders.join(delimiter) };
}

let running;
let interrupted = false;

/** Runs one step and prints its name and duration in one line. Prints its output only if it fails. */
async function step(label, command, args, { env, onSpawn, advice }) {
  const started = performance.now();
  process.stdout.write(`${label}… `);
  const { code, output } = await new Promise((resolve) => {
    let text = "";
    const keep = (chunk) => (text += chunk);
    running = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"], shell: WINDOWS });
    running.stdout.setEncoding("utf8").on("data", keep);
    running.stderr.setEncoding("utf8").on("data", keep);
    running.on("error", (cause) => resolve({ code: 1, output: `${text}${cause.message}\n` }));
    running.on("close", (status) => resolve({ code: status ?? 1, output: text }));
    if (running.pid) onSpawn(running.pid);
  });
  running = undefined;
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (interrupted) throw new SetupError(`interrupted after ${took}; the next run repairs what is half done.`);
  process.stdout.write(code === 0 ? `${took}\n` : `failed after ${took}\n${output}`);
  if (code !== 0) throw new SetupError(advice);
}

/** Returns the command of the npm that started this process, or else `npm`. */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli && /npm-cli\.c?js$/.test(cli) ? ["node", [cli, ...args]] : ["npm", args];
}

async function install(reason, onSpawn) {
  const fresh = !fs.existsSync(join(ROOT, "node_modules"));
  // These flags are explicit, because the caller's NODE_ENV=production, omit or ignore-scripts would leave out packages.
  const flags = ["--include=dev", "--ignore-scripts=false", "--prefer-offline", "--no-audit", "--no-fund"];
  const [command, args] = npm(["ci", ...flags]);
  await step(fresh ? "Installing packages" : `Installing packages again (${reason})`, command, args, {
    env: hostEnv({}),
    onSpawn,
    advice:
      "npm ci failed. Fix what its output above says (often the network or the registry), then run the same command again.",
  });
  const still = whyNotInstalled(true);
  if (still)
    throw new SetupError(`npm ci ended well, yet ${still}. Delete node_modules and run the same command again.`);
}

async function build(inputs, onSpawn) {
  const again = fs.existsSync(join(ROOT, ".next", "BUILD_ID"));
  fs.rmSync(BUILD_STAMP, { force: true });
  const [command, args] = npm(["run", "build"]);
  await step(again ? "Building again (sources changed)" : "Building", command, args, {
    env: hostEnv({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }),
    onSpawn,
    advice: "The build failed. Fix what its output above says, then run the same command again.",
  });
  fs.writeFileSync(BUILD_STAMP, inputs);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
}

/**
 * Returns the holder of the lock; undefined if there is none, or if it died together with the command that it ran. It has
 * no process ids while it is writing them.
 */
function holder() {
  try {
    const silent = Date.now() - fs.statSync(LOCK).mtimeMs;
    const text = fs.readFileSync(LOCK, "utf8");
    if (!text.endsWith("}")) return silent < ABANDONED_MS ? { pids: [] } : undefined;
    const held = JSON.parse(text);
    const alive = held.host === hostname() ? held.pids.some(isAlive) : silent < ABANDONED_MS;
    return alive ? held : undefined;
  } catch (cause) {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

/** Creates a file. Returns false if it exists already. */
function create(path, text) {
  try {
    fs.writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause.code === "EEXIST") return false;
    throw cause;
  }
}

// One process at a time may remove a dead holder's lock. Otherwise a second one could remove the first one's new lock.
function removeAbandoned() {
  const claim = `${LOCK}.claim`;
  if (!create(claim, "")) {
    if (Date.now() - fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs > ABANDONED_MS)
      fs.rmSync(claim, { force: true });
    return;
  }
  if (!holder()) fs.rmSync(LOCK, { force: true });
  fs.rmSync(claim, { force: true });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function takeLock(content) {
  const started = performance.now();
  let announced = false;
  while (!create(LOCK, content)) {
    const held = holder();
    if (!held) removeAbandoned();
    else if (!announced && held.pids.length) {
      process.stdout.write(`Waiting for the set-up that process ${held.pids[0]} is doing here… `);
      announced = true;
    }
    await pause(held?.pids.length ? 200 : 5);
  }
  if (announced) process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/**
 * Runs `work` while no other set-up of this folder runs. `work` reports the process ids of its commands, so that the lock
 * holds until they end, even if this process is killed.
 */
async function alone(work) {
  const content = (...pids) => JSON.stringify({ host: hostname(), pids: [process.pid, ...pids] });
  fs.mkdirSync(join(LOCK, ".."), { recursive: true, mode: 0o700 });
  await takeLock(content());
  const beat = setInterval(() => fs.utimesSync(LOCK, new Date(), new Date()), HEARTBEAT_MS);
  try {
    return await work((pid) => fs.writeFileSync(LOCK, content(pid)));
  } finally {
    clearInterval(beat);
    fs.rmSync(LOCK, { force: true });
  }
}

/** Runs a file of tests/support. Resolves to the exit code. */
function runSupport(file) {
  const child = spawn(RUNTIME, [join(ROOT, "tests", "support", file)], { cwd: ROOT, stdio: "inherit" });
  return new Promise((resolve) => child.on("error", () => resolve(1)).on("close", resolve));
}

async function testTools() {
  await runSupport("system-packages.ts");
  if ((await runSupport("browser.ts")) !== 0)
    throw new SetupError("There is no browser, so the browser tests cannot run.");
}

async function setUp(mode) {
  const whyInstall = () => whyNotInstalled(mode === "test");
  const isStale = (inputs) => mode !== "install" && !isBuilt(inputs);
  if (whyInstall() || isStale(hashInputs())) {
    await alone(async (onSpawn) => {
      const reason = whyInstall();
      if (reason) await install(reason, onSpawn);
      const inputs = hashInputs();
      if (isStale(inputs)) await build(inputs, onSpawn);
    });
  }
  if (mode === "test") await alone(testTools);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    interrupted = true;
    if (!running) process.exit(1);
    running.kill(signal);
  });
}

const [major, minor] = process.versions.node.split(".").map(Number);
const mode = process.argv[2];
try {
  if (major < 20 || (major === 20 && minor < 9)) {
    throw new SetupError(
      `Graphlib needs Node 20.9 or newer to set itself up and found ${process.versions.node}: install one from https://nodejs.org.`,
    );
  }
  if (!["install", "start", "test"].includes(mode))
    throw new SetupError("Usage: node lib/setup.mjs start | install | test");
  await setUp(mode);
} catch (cause) {
  if (!(cause instanceof SetupError)) throw cause;
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = 1;
}
