"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, Download, WrapText } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { asText, matching } from "#lib/client/log-lines.ts";
import type { LogLine } from "#lib/protocol/revisions.ts";
import { foldProgress } from "#lib/rules/revisions/build-lines.ts";
import { Button, IconButton } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Select } from "../_ui/select.tsx";
import { LineRow } from "./line-row.tsx";
import type { LogLines } from "./use-log-lines.ts";

const FILTERS = {
  q: parseAsString.withDefault(""),
  stream: parseAsStringLiteral(["out", "err", "us"]),
};
const LINE_PX = 24;
/** The distance from the end, in pixels, within which the view follows new lines. */
const NEAR_PX = 32;

/** Shows the lines of a log as they arrive, and follows them until the user scrolls up. A line's time links to it. */
export function LogView({
  log: { lines, earlier },
  title,
  file,
  empty,
  heading: Heading = "h2",
  className = "",
  children,
}: {
  log: LogLines;
  title: string;
  /** The name of the downloaded file. */
  file: string;
  empty: ReactNode;
  /** `h1` if the log is the whole page. */
  heading?: "h1" | "h2";
  className?: string;
  /** Shown beside the title. */
  children?: ReactNode;
}) {
  const [{ q, stream }, setFilter] = useQueryStates(FILTERS);
  const [wrap, setWrap] = useState(true);
  const folded = useMemo(() => foldProgress(lines), [lines]);
  const shown = useMemo(() => matching(folded, { text: q, stream: stream ?? undefined }), [folded, q, stream]);
  return (
    <section
      aria-label={title}
      className={`flex min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line ${className}`}
    >
      <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <Heading className="mr-1 font-semibold">{title}</Heading>
        {children}
        <div className="ml-auto flex items-center gap-1.5 max-sm:w-full">
          <input
            type="search"
            data-filter
            aria-label="Filter lines"
            placeholder="Filter"
            value={q}
            onChange={(event) => void setFilter({ q: event.target.value === "" ? null : event.target.value })}
            className="h-8 w-34 min-w-0 rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 max-sm:flex-1 pointer-coarse:h-10"
          />
          <Select
            label="Stream"
            value={stream ?? ""}
            onChange={(event) => void setFilter({ stream: FILTERS.stream.parse(event.target.value) })}
          >
            <option value="">All lines</option>
            <option value="out">Output</option>
            <option value="err">Errors</option>
            <option value="us">Platform</option>
          </Select>
          <IconButton
            label={wrap ? "Do not wrap lines" : "Wrap lines"}
            aria-pressed={wrap}
            onClick={() => setWrap(!wrap)}
          >
            <WrapText className={wrap ? "text-accent" : ""} />
          </IconButton>
          <CopyButton text={() => asText(shown)} label="Copy lines" variant="icon" />
          <IconButton label="Download" onClick={() => save(file, asText(shown))}>
            <Download />
          </IconButton>
        </div>
      </div>
      {shown.length === 0 ? (
        <div className="flex-1 bg-well p-4 text-ink-2">{lines.length === 0 ? empty : "No line matches."}</div>
      ) : (
        <Lines lines={shown} wrap={wrap} earlier={earlier} />
      )}
    </section>
  );
}

function Lines({ lines, wrap, earlier }: { lines: readonly LogLine[]; wrap: boolean; earlier: LogLines["earlier"] }) {
  const box = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const [chosen, setChosen] = useState<number | undefined>(lineOfAddress);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it hands out
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (place) => lines[place]?.id ?? place,
    overscan: 24,
  });
  const last = lines.at(-1)?.id;
  useEffect(() => {
    if (following && chosen === undefined) rows.scrollToIndex(lines.length - 1, { align: "end" });
  }, [following, chosen, rows, last, lines.length]);
  const chosenAt = chosen === undefined ? -1 : lines.findIndex((line) => line.id === chosen);
  useEffect(() => {
    if (chosenAt >= 0) rows.scrollToIndex(chosenAt, { align: "center" });
  }, [chosenAt, rows]);
  const choose = (id: number): void => {
    setChosen(id);
    history.replaceState(null, "", `#L${id}`);
  };
  const focusable = { tabIndex: 0 };
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-well">
      <section
        {...focusable}
        ref={box}
        aria-label="Lines"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_PX)
        }
        className="min-h-0 flex-1 overflow-auto py-2 font-mono text-code outline-offset-[-2px]"
      >
        {earlier ? (
          <div className="px-4 pb-2">
            <Button onClick={() => void earlier().catch(() => undefined)}>Load earlier lines</Button>
          </div>
        ) : null}
        <ol className={`relative ${wrap ? "w-full" : "w-max min-w-full"}`} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            return line ? (
              <li
                key={key}
                data-index={index}
                ref={rows.measureElement}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${start}px)` }}
              >
                <LineRow line={line} wrap={wrap} chosen={line.id === chosen} onChoose={choose} />
              </li>
            ) : null;
          })}
        </ol>
      </section>
      {following ? null : (
        <Button
          className="absolute right-4 bottom-4 shadow-float"
          onClick={() => {
            setChosen(undefined);
            setFollowing(true);
          }}
        >
          <ArrowDown /> Newest
        </Button>
      )}
    </div>
  );
}

function lineOfAddress(): number | undefined {
  const line = /^#L(\d+)$/.exec(typeof location === "undefined" ? "" : location.hash)?.[1];
  return line === undefined ? undefined : Number(line);
}

function save(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
