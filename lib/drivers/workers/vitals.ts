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
const MEASURE_AGAIN_MS = 1_000;

export interface Vitals {
  /** The worker said something. */
  messageReceived(): void;
  /** Its graphs are loaded. Calls back once it keeps to its memory. */
  loaded(then: () => void): void;
  stop(): void;
}

export interface VitalOptions {
  memoryMb: number;
  limits?: VitalLimits;
  /** Gets what it takes, in bytes. */
  measured(bytes: number): void;
}

export function watchVitals(
  child: Pick<Child, "rootPid" | "send" | "kill" | "isPaused" | "isBehind">,
  { memoryMb, limits: { everyMs, toLoad, toAnswer } = LIMITS, measured }: VitalOptions,
): Vitals {
  const overMemory = watchResident(memoryMb);
  let timer: NodeJS.Timeout | undefined;
  let isLoading = true;
  let hasMessage = false;
  let isStopped = false;
  let quiet = 0;

  const after = (ms: number, call: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(call, ms);
  };
  const measure = async (): Promise<number> => {
    const bytes = child.rootPid === undefined ? undefined : await residentOf(child.rootPid);
    if (isStopped || bytes === undefined) return 0;
    measured(bytes);
    const reason = overMemory(bytes);
    if (reason !== undefined) child.kill(reason);
    return bytes;
  };
  const watch = (): void => {
    if (!isLoading) child.send({ type: "ping", id: 0 });
    // Where this comes late the host was busy, and what the worker said meanwhile waits to be read: that comes first.
    after(everyMs, () => setImmediate(check));
  };
  const check = (): void => {
    if (isStopped) return;
    // One that is held because it does not read its answers is silent by itself.
    const listening = !child.isPaused() || child.isBehind();
    quiet = quietAfter(quiet, { heard: hasMessage && !isLoading, listening });
    hasMessage = false;
    if (isLoading && quiet >= toLoad) child.kill(`its graphs did not load within ${(toLoad * everyMs) / 1000} s`);
    else if (quiet >= toAnswer && !isLoading)
      child.kill(`it did not answer for ${(toAnswer * everyMs) / 1000} s: an endless loop?`);
    else watch();
    if (!isLoading) void measure();
  };
  const finishLoading = async (then: () => void): Promise<void> => {
    const bytes = await measure();
    if (isStopped) return;
    if (bytes > residentLimit(memoryMb)) return after(MEASURE_AGAIN_MS, () => void finishLoading(then));
    isLoading = false;
    quiet = 0;
    watch();
    then();
  };

  watch();
  return {
    messageReceived: () => void (hasMessage = true),
    loaded: (then) => void finishLoading(then),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
