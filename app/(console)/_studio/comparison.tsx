"use client";

import type { ThreadSnapshot } from "#lib/client/threads.ts";
import {
  compareBranches,
  type ComparedKey,
  forkOf,
  type LargeKey,
  largeKeysOf,
} from "#lib/rules/studio/compare-states.ts";
import { pathText } from "#lib/rules/studio/short-text.ts";
import type { StateChange, StateDifference } from "#lib/rules/studio/state-difference.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { CHANGE_SIGNS } from "../_form/change-signs.ts";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { LargeValue, StateValue } from "./state-value.tsx";
import { useStudio } from "./studio-context.ts";
import { useValues } from "./use-values.ts";

/** States without a common checkpoint are compared with nothing. */
const NOTHING: Pick<ThreadSnapshot, "values"> = { values: {} };

interface ComparisonProps {
  /** The checkpoint of `state`. */
  here: string;
  state: ThreadSnapshot;
  other: string;
}

/** Compares the shown state with another one: what changed on both branches since they forked, side by side. */
export function Comparison({ here, state, other }: ComparisonProps) {
  const { setQuery, state: studio } = useStudio();
  const fork = forkOf(studio.lanes, here, other);
  const there = useValues(other);
  const before = useValues(fork);
  const failed = [there, before].find(({ failure }) => failure !== undefined);
  const isRead = there.isCurrent && (fork === undefined || before.isCurrent);
  return (
    <section aria-label="Comparison">
      <h3 className="mb-1.5 text-small font-medium text-ink-3">
        {fork === undefined ? "No common checkpoint was read" : `Changes since ${shortId(fork)}`}
      </h3>
      {failed ? (
        <LoadFailure what="The other state" onRetry={() => void Promise.all([there.retry(), before.retry()])}>
          {failed.failure}
        </LoadFailure>
      ) : isRead && there.value ? (
        <Branches
          fork={fork === undefined ? NOTHING : (before.value ?? NOTHING)}
          sides={[
            { id: here, state, name: "Here", isFork: fork === here },
            { id: other, state: there.value, name: "There", isFork: fork === other },
          ]}
        />
      ) : (
        <Loading what="the other state" className="h-10" />
      )}
      <Button variant="quiet" className="mt-2" onClick={() => void setQuery({ compare: null })}>
        End the comparison
      </Button>
    </section>
  );
}

const shortId = (id: string): string => id.slice(-6);

interface Side {
  readonly id: string;
  readonly state: ThreadSnapshot;
  readonly name: string;
  /** The other state came from this one, so that nothing changed here. */
  readonly isFork: boolean;
}

/** `fork`: the state at which both sides parted. */
function Branches({ fork, sides }: { fork: Pick<ThreadSnapshot, "values">; sides: readonly [Side, Side] }) {
  const [one, other] = sides;
  const compared = compareBranches(fork, one.state, other.state);
  const large = largeKeysOf([fork, one.state, other.state]);
  // A state that was the fork has no changes, and gets no column.
  const columns = ([0, 1] as const).filter((place) => !sides[place].isFork);
  if (compared.length === 0 && large.length === 0) return <p className="text-ink-2">Both states are equal.</p>;
  const grid = `grid gap-3 ${columns.length > 1 ? "grid-cols-2" : ""}`;
  return (
    <div className="rounded-card border border-line">
      <div className={`${grid} border-b border-line px-3 py-2`}>
        {columns.map((place) => (
          <span key={place} className="truncate font-mono text-code text-ink-2" title={sides[place].id}>
            {sides[place].name} {shortId(sides[place].id)}
          </span>
        ))}
      </div>
      {compared.map((row) => (
        <Row key={row.key ?? ""} title={row.key ?? "state"}>
          <KeyChanges row={row} columns={columns} sides={sides} grid={grid} />
        </Row>
      ))}
      {large.map((row) => (
        <Row key={row.key} title={row.key}>
          <LargeSides row={row} columns={columns} sides={sides} grid={grid} />
        </Row>
      ))}
    </div>
  );
}

function Row({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset aria-label={title} className="min-w-0 border-b border-line px-3 py-2.5 last:border-b-0">
      <h4 className="mb-1.5 text-small font-medium wrap-anywhere text-ink-3">{title}</h4>
      {children}
    </fieldset>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly (0 | 1)[];
  sides: readonly [Side, Side];
  grid: string;
}

function KeyChanges({ row: { isSame, sides }, columns, sides: named, grid }: RowProps<ComparedKey>) {
  const [first = 0] = columns;
  if (isSame && columns.length > 1) {
    return (
      <>
        <p className="mb-1 text-small text-ink-2">The same on both sides</p>
        <Changes difference={sides[first]} />
      </>
    );
  }
  return (
    <div className={grid}>
      {columns.map((place) => (
        <fieldset key={place} aria-label={named[place].name} className="min-w-0">
          {sides[place].length === 0 ? <p className="text-ink-2">Unchanged</p> : <Changes difference={sides[place]} />}
        </fieldset>
      ))}
    </div>
  );
}

function LargeSides({ row: { key, sizes }, columns, sides, grid }: RowProps<LargeKey>) {
  const [before, ...after] = sizes;
  return (
    <div className={grid}>
      {columns.map((place) => {
        const size = after[place];
        return (
          <fieldset key={place} aria-label={sides[place].name} className="min-w-0">
            {size === undefined ? (
              <p className="text-ink-2">Not there</p>
            ) : (
              <>
                <p className="text-small text-ink-2">
                  {before === undefined ? "Added" : size === before ? "As large as before, not compared" : "Changed"}
                </p>
                <LargeValue name={key} checkpoint={sides[place].id} size={size} />
              </>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}

const MOST = 20;

/** The changes of a key, with the values after them. */
function Changes({ difference }: { difference: StateDifference }) {
  const left = difference.length - MOST;
  return (
    <ul className="flex flex-col gap-2">
      {difference.slice(0, MOST).map((change) => (
        <li key={`${change.kind} ${pathText(change.path)} ${"index" in change ? change.index : ""}`}>
          <Change change={change} />
        </li>
      ))}
      {left > 0 ? <li className="text-ink-3">and {counted(left, "more change")}</li> : null}
    </ul>
  );
}

function Change({ change }: { change: StateChange }) {
  const { sign, word, ink } = CHANGE_SIGNS[change.kind];
  const path = pathText(change.path);
  const after = afterOf(change);
  return (
    <>
      <div className="flex gap-2 font-mono text-code">
        <span aria-hidden className={`w-2 shrink-0 ${ink}`}>
          {sign}
        </span>
        <span className="min-w-0 flex-1 wrap-anywhere">{path}</span>
        <span className={`shrink-0 font-sans text-small ${ink}`}>{word}</span>
      </div>
      {after ? <StateValue label={path} value={after.value} first={"index" in change ? change.index : 0} /> : null}
    </>
  );
}

function afterOf(change: StateChange): { value: unknown } | undefined {
  if (change.kind === "appended") return { value: change.items };
  if (change.kind === "replaced") return change.added.length === 0 ? undefined : { value: change.added };
  return change.kind === "removed" ? undefined : { value: change.after };
}
