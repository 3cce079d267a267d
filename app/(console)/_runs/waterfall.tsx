import { duration } from "#lib/client/measures.ts";
import type { WaterfallBar } from "#lib/rules/runs/waterfall.ts";

const BARS: Record<WaterfallBar["state"], { fill: string; word: string }> = {
  done: { fill: "bg-ok", word: "done" },
  failed: { fill: "bg-bad", word: "failed" },
  waiting: { fill: "bg-waiting", word: "waits" },
  running: { fill: "bg-running motion-safe:animate-breathe", word: "running" },
  cancelled: { fill: "bg-ink-3", word: "cancelled" },
};

/** Shows when the nodes of a run were executed, as bars over time. `now` is the end of bars that are still running. */
export function Waterfall({ bars, now }: { bars: readonly WaterfallBar[]; now: number }) {
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(from + 1, ...bars.map((bar) => bar.to ?? now));
  const percent = (ms: number): string => `${(100 * ms) / (to - from)}%`;
  return (
    <ol aria-label="Nodes over time" className="flex flex-col">
      {bars.map((bar) => {
        const { fill, word } = BARS[bar.state];
        const took = Math.max(0, (bar.to ?? now) - bar.from);
        return (
          <li
            key={bar.id}
            className="grid min-h-8 grid-cols-[minmax(5rem,10rem)_minmax(0,1fr)_7.5rem] items-center gap-3 border-b border-line px-4 last:border-b-0 max-sm:gap-y-1 max-sm:py-2 max-sm:grid-cols-[minmax(0,1fr)_7.5rem]"
          >
            <span className="truncate font-medium" title={`${bar.node}, step ${bar.step}`}>
              {bar.node}
            </span>
            <span aria-hidden className="relative h-3 max-sm:order-1 max-sm:col-span-2">
              <span
                className={`absolute h-full min-w-0.75 rounded-full ${fill}`}
                style={{ left: percent(bar.from - from), width: percent(took) }}
              />
            </span>
            <span className="truncate text-right text-small text-ink-2">
              {bar.state === "done" ? "" : `${word} · `}
              {duration(took)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
