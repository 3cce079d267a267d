/** Opens pages of the console in Chromium and measures in them: frames, and the time from one moment to another. */
import { type Browser, chromium, type Page } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "../support/browser.ts";

export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("No browser to measure in: run `node tests/support/browser.ts`.");
  return await chromium.launch({ executablePath, args: BROWSER_ARGS });
}

export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => console.log(`  exception in the page: ${error.message}`));
  await page.addInitScript(installMeter);
  return page;
}

/** ms between the frames of a page. */
export interface Frames {
  readonly median: number;
  readonly longest: number;
  readonly count: number;
  /** The number of frames that took more than 50 ms. */
  readonly long: number;
}

/** The work of the page's main thread. */
interface Work {
  /** ms of processor time of the longest task, which other programs on the machine do not change. */
  readonly longest: number;
  /** The number of tasks that took more than 50 ms of processor time. */
  readonly long: number;
  /** The processor time of all tasks, in ms. */
  readonly sum: number;
}

/** Measures the frames of a page, and the work for them, while `act` goes on. */
export async function framesOf(page: Page, act: () => Promise<void>): Promise<Frames & { work: Work }> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ["__metadata", "disabled-by-default-devtools.timeline"] });
  await page.evaluate(() => window.meter.begin());
  await act();
  const frames = await page.evaluate(() => window.meter.end());
  const trace = await browser?.stopTracing();
  return { ...frames, work: workIn(trace?.toString() ?? '{"traceEvents":[]}') };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
  /** Processor time, in µs. */
  readonly tdur?: number;
}

/** Reads the tasks of the main threads of pages. */
function workIn(trace: string): Work {
  // Chromium describes the format as the trace event format.
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const isNamed = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
  const mains = new Set(traceEvents.filter(isNamed).map(({ pid, tid }) => `${pid} ${tid}`));
  const isTask = ({ name, pid, tid }: TraceEvent) => name === "RunTask" && mains.has(`${pid} ${tid}`);
  const times = traceEvents.filter(isTask).map(({ tdur = 0 }) => tdur / 1000);
  return {
    longest: Math.max(0, ...times),
    long: times.filter((time) => time > LONG_MS).length,
    sum: times.reduce((sum, time) => sum + time, 0),
  };
}

const LONG_MS = 50;

export function framesText({ median, longest, count, long, work }: Frames & { work: Work }): string {
  const frames = `${count} frames, median ${median.toFixed(1)} ms, longest ${longest.toFixed(1)} ms, ${long} above 50 ms`;
  const tasks = `longest ${work.longest.toFixed(1)} ms, ${work.long} above 50 ms`;
  return `${frames}; processor time of tasks: ${tasks}, sum ${(work.sum / 1000).toFixed(1)} s`;
}

/** These functions run in the page. Each stands for itself, because its text is sent to the browser. */
interface Meter {
  begin(): void;
  end(): Frames;
  /** Resolves with the time (`performance.now()`) of the first frame that is painted while the condition holds. */
  painted(condition: () => boolean): Promise<number>;
  /** The time at which the first piece of an event stream that contains this text arrived. */
  arrivals: Map<string, number>;
  /** The time of the newest key or pointer event. */
  acted: number;
}

declare global {
  interface Window {
    meter: Meter;
  }
}

function installMeter(): void {
  let frames: number[] = [];
  let isOn = false;
  const tick = (now: number): void => {
    frames.push(now);
    if (isOn) requestAnimationFrame(tick);
  };
  const meter: Meter = {
    acted: 0,
    arrivals: new Map(),
    begin() {
      frames = [];
      isOn = true;
      requestAnimationFrame(tick);
    },
    end() {
      isOn = false;
      const lengths = frames.slice(1).map((now, at) => now - (frames[at] ?? now));
      const sorted = lengths.toSorted((a, b) => a - b);
      return {
        count: lengths.length,
        median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
        longest: sorted.at(-1) ?? Number.NaN,
        long: lengths.filter((one) => one > 50).length,
      };
    },
    async painted(condition) {
      const nextTask = () =>
        new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener("message", () => resolve());
          port1.start();
          port2.postMessage(undefined);
        });
      for (;;) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const holds = condition();
        // The task after a frame's callbacks begins when the frame has been painted.
        await nextTask();
        if (holds) return performance.now();
      }
    },
  };
  window.meter = meter;
  for (const name of ["keydown", "pointerdown"])
    addEventListener(name, (event) => (meter.acted = event.timeStamp), { capture: true });
  const fetchFirst = window.fetch;
  const decoder = new TextDecoder();
  window.fetch = async (...args) => {
    const response = await fetchFirst(...args);
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const now = performance.now();
        for (const [, name] of decoder.decode(piece).matchAll(/"type":"task",.*?"name":"([^"]+)"/g))
          if (name !== undefined && !meter.arrivals.has(name)) meter.arrivals.set(name, now);
        controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watched), { status, statusText, headers });
  };
}
