import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Incident, WorkerState } from "../../../lib/protocol/deployments.ts";
import { incidentsOfGroup, stateOfGroup } from "../../../lib/rules/workers/group.ts";

const ready = (pid: number, memory?: number, second = 0): WorkerState => ({
  status: "ready",
  pid,
  since: `2026-11-26T00:00:0${second}.000Z`,
  startedInMs: 100,
  langgraph: "1.4.18",
  ...(memory !== undefined && { memory }),
});
const starting = (attempt: number): WorkerState => ({ status: "starting", attempt });
const crashed = (retryAt: string): WorkerState => ({ status: "crashed", reason: "exit code 1", attempt: 1, retryAt });
const failed: WorkerState = { status: "failed", reason: "it crashed too often" };
const stopped: WorkerState = { status: "stopped" };

const anyState = fc.oneof(
  fc.tuple(fc.nat(), fc.option(fc.nat(), { nil: undefined }), fc.nat(9)).map((facts) => ready(...facts)),
  fc.integer({ min: 1, max: 9 }).map(starting),
  fc.constantFrom("2026-11-26T00:00:01.000Z", "2026-11-26T00:00:02.000Z").map(crashed),
  fc.constantFrom(failed, stopped),
);
const states = fc.array(anyState, { minLength: 1, maxLength: 16 });

describe("the state of several processes", () => {
  test("is the state of one of them, with counts and the sum of memory when one is ready", () => {
    fc.assert(
      fc.property(states, fc.nat(3), (list, unstarted) => {
        const { processes, memory, ...state } = {
          processes: undefined,
          memory: undefined,
          ...stateOfGroup(list, list.length + unstarted),
        };
        expect(list.map((one) => ({ ...one, memory: undefined }))).toContainEqual({ ...state, memory: undefined });
        const serving = list.filter((one) => one.status === "ready");
        expect(state.status === "ready").toBe(serving.length > 0);
        if (state.status !== "ready") return;
        const { down = 0 } = processes ?? {};
        expect(processes).toEqual({ ready: serving.length, down, total: list.length + unstarted });
        expect(serving.length + down).toBeLessThanOrEqual(list.length);
        const measured = serving.flatMap((one) => one.memory ?? []);
        const sum = measured.reduce((total, one) => total + one, 0);
        expect(memory).toBe(measured.length === serving.length ? sum : undefined);
        expect(serving.map((one) => one.since).toSorted()[0]).toBe(state.since);
      }),
    );
  });

  test("does not depend on the order of those that are not ready", () => {
    fc.assert(
      fc.property(states, (list) => {
        const others = list.filter(({ status }) => status !== "ready");
        fc.pre(others.length > 0);
        expect(stateOfGroup(others.toReversed(), 16)).toEqual(stateOfGroup(others, 16));
      }),
    );
  });

  const later = "2026-11-26T00:00:02.000Z";
  const sooner = "2026-11-26T00:00:01.000Z";
  test.each<[string, WorkerState[], WorkerState]>([
    ["starting, while one of them starts", [failed, crashed(sooner), starting(3), starting(2)], starting(2)],
    [
      "crashed until the next start, while one of them is to start",
      [failed, crashed(later), crashed(sooner)],
      crashed(sooner),
    ],
    ["failed, when none is to start soon", [stopped, failed, failed], failed],
    ["stopped, when all are", [stopped, stopped], stopped],
  ])("is %s", (_, list, expected) => {
    expect(stateOfGroup(list, list.length)).toEqual(expected);
  });

  test("counts those as down that crashed and are not ready again", () => {
    const list = [ready(1), starting(1), starting(2), crashed(sooner), failed];
    expect(stateOfGroup(list, 8)).toMatchObject({ pid: 1, processes: { ready: 1, down: 3, total: 8 } });
  });
});

describe("the incidents of several processes", () => {
  const incident = fc.record({
    at: fc.integer({ min: 0, max: 9 }).map((second) => `2026-11-26T00:00:0${second}.000Z`),
    source: fc.constantFrom("worker" as const, "load" as const),
    graph: fc.constantFrom("a", "b"),
    error: fc.constantFrom({ error: "Error", message: "one" }, { error: "Error", message: "two" }),
  });
  const list = fc.array(incident).map((all) => all.toSorted((a, b) => a.at.localeCompare(b.at)));
  const named = ({ graph, error }: Incident): string => `${graph} ${error.message}`;

  test("are those of each, in the order of time; what failed to load in several is one incident", () => {
    fc.assert(
      fc.property(fc.array(list), (lists) => {
        const merged = incidentsOfGroup(lists);
        expect(merged).toEqual(merged.toSorted((a, b) => a.at.localeCompare(b.at)));
        const crashes = (all: readonly Incident[]): Incident[] => all.filter(({ source }) => source === "worker");
        expect(crashes(merged)).toHaveLength(crashes(lists.flat()).length);
        const loads = merged.filter(({ source }) => source === "load").map(named);
        const given = lists
          .flat()
          .filter(({ source }) => source === "load")
          .map(named);
        expect(new Set(loads)).toEqual(new Set(given));
        expect(loads).toHaveLength(new Set(given).size);
      }),
    );
  });
});
