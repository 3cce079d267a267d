/** Watches that a worker loads, answers, and keeps to its memory. */
import { quietAfter } from "../../rules/workers/liveness.ts";
import { residentLimit, watchResident } from "../../rules/workers/resident-memory.ts";
import type { Child } from "./child.ts";
import { residentOf } from "./resident.ts";

/** How often a worker is looked at, in ms, and how many times in a row it may be found wanting. */
export interface VitalLimits {
  everyMs: number;
  /** Until all graphs are loaded. */
  toLoad: number;
  /** Without a word: it is caught in a loop. */
  toAnswer: number;
}

const LIMITS: VitalLimits = { everyMs: 5_000, toLoad: 12, toAnswer: 6 };
/** How soon a worker is weighed again that loaded more than it may keep. */
const WEIGH_MS = 1_000;

export interface Vitals {
  /** The worker said something. */
  heard(): void;
  /** Its graphs are loaded. Calls back once it keeps to its memory. */
  loaded(then: () => void): void;
  stop(): void;
}

export interface VitalOptions {
  memoryMb: number;
  limits?: VitalLimits;
  /** Gets what it takes, in bytes. */
  weighed(bytes: number): void;
}

export function watchVitals(
  child: Pick<Child, "first" | "send" | "kill" | "isHeld" | "isBehind">,
  { memoryMb, limits: { everyMs, toLoad, toAnswer } = LIMITS, weighed }: VitalOptions,
): Vitals {
  const overMemory = watchResident(memoryMb);
  let timer: NodeJS.Timeout | undefined;
  let isLoading = true;
  let isHeard = false;
  let isStopped = false;
  let quiet = 0;

  const after = (ms: number, call: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(call, ms);
  };
  const weigh = async (): Promise<number> => {
    const bytes = child.first === undefined ? undefined : await residentOf(child.first);
    if (isStopped || bytes === undefined) return 0;
    weighed(bytes);
    const reason = overMemory(bytes);
    if (reason !== undefined) child.kill(reason);
    return bytes;
  };
  const watch = (): void => {
    if (!isLoading) child.send({ type: "ping", id: 0 });
    // Where this comes late the host was busy, and what the worker said meanwhile waits to be read: that comes first.
    after(everyMs, () => setImmediate(judge));
  };
  const judge = (): void => {
    if (isStopped) return;
    // One that is held because it does not read its answers is silent by itself.
    const listening = !child.isHeld() || child.isBehind();
    quiet = quietAfter(quiet, { heard: isHeard && !isLoading, listening });
    isHeard = false;
    if (isLoading && quiet >= toLoad) child.kill(`its graphs did not load within ${(toLoad * everyMs) / 1000} s`);
    else if (quiet >= toAnswer && !isLoading)
      child.kill(`it did not answer for ${(toAnswer * everyMs) / 1000} s: an endless loop?`);
    else watch();
    if (!isLoading) void weigh();
  };
  const arrive = async (then: () => void): Promise<void> => {
    const bytes = await weigh();
    if (isStopped) return;
    if (bytes > residentLimit(memoryMb)) return after(WEIGH_MS, () => void arrive(then));
    isLoading = false;
    quiet = 0;
    watch();
    then();
  };

  watch();
  return {
    heard: () => void (isHeard = true),
    loaded: (then) => void arrive(then),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
