import type { Insertable } from "kysely";
import type { NewRevision, RevisionChange, StoredRevision } from "../../../engine/ports/builds.ts";
import type { RevisionState } from "../../../protocol/revisions.ts";
import { isBuilding } from "../../../rules/revisions/phases.ts";
import { fromJson } from "../json-column.ts";
import type { RevisionsTable } from "./tables.ts";

export function newRevisionRow(
  deployment_id: string,
  number: number,
  { trigger, source, build_of, created_at }: NewRevision,
): Insertable<RevisionsTable> {
  return {
    deployment_id,
    number,
    state: "queued",
    building: 0,
    trigger,
    source: JSON.stringify(source),
    commit: null,
    build_of,
    report: null,
    shapes: null,
    inputs: null,
    steps: "[]",
    problem: null,
    token: 0,
    executor: null,
    cancelling: 0,
    created_at,
    live_at: null,
    ended_at: null,
  };
}

export function fromRevisionRow(row: RevisionsTable): StoredRevision {
  const { building: _building, ...kept } = row;
  return {
    ...kept,
    cancelling: row.cancelling === 1,
    source: fromJson(row.source),
    commit: parsed(row.commit),
    report: parsed(row.report),
    shapes: parsed(row.shapes),
    inputs: parsed(row.inputs),
    steps: fromJson(row.steps),
    problem: parsed(row.problem),
  };
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : fromJson<T>(text);
}

/** Returns the columns that a change sets. Members that are left out keep their columns. */
export function changedColumns(state: RevisionState, change: RevisionChange): Partial<RevisionsTable> {
  const { commit, report, shapes, inputs, steps, problem, ...plain } = change;
  return {
    state,
    building: isBuilding(state) ? 1 : 0,
    ...plain,
    ...(commit !== undefined && { commit: written(commit) }),
    ...(report !== undefined && { report: written(report) }),
    ...(shapes !== undefined && { shapes: written(shapes) }),
    ...(inputs !== undefined && { inputs: written(inputs) }),
    ...(steps !== undefined && { steps: JSON.stringify(steps) }),
    ...(problem !== undefined && { problem: written(problem) }),
  };
}

function written(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
