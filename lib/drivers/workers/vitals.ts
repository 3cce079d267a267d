/** Ends a worker that does not load, does not answer, or takes too much memory. */
import { quietAfter } from "../../rules/workers/liveness.ts";
import { residentLimit, watchResident } from "../../rules/workers/resident-memory.ts";
import type { Child } from "./child.ts";
import { residentOf } from "./resident.ts";

/** The interval between two checks in ms, and the number of checks in a row that may fail. */
export interface VitalLimits {
  everyMs: number;
  /** Checks until all graphs are loaded. */
  toLoad: number;
  /** Checks without a message. A worker in an endless loop sends none. */
  toAnswer: number;
}

const LIMITS: VitalLimits = { everyMs: 5_000, toLoad: 12, toAnswer: 6 };
/** The pause before memory is measured again if it exceeds the limit after loading. */
const MEASURE_AGAIN_MS = 1_000;

export interface Vitals {
  /** Must be called when the worker has sent a message. */
  messageReceived(): void;
  /** Must be called when the graphs are loaded. Calls `then` once memory is within the limit. */
  loaded(then: () => void): void;
  stop(): void;
}

export interface VitalOptions {
  memoryMb: number;
  limits?: VitalLimits;
  /** Receives the memory that the worker takes, in bytes. */
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
    // If this timer is late, the host was busy. The worker's messages may still be unread, so they are read first.
    after(everyMs, () => setImmediate(check));
  };
  const check = (): void => {
    if (isStopped) return;
    // The silence of a paused worker does not count, unless it is paused because it does not read its answers.
    const listening = !child.isPaused() || child.isBehind();
    quiet = quietAfter(quiet, { hasMessage: hasMessage && !isLoading, listening });
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
