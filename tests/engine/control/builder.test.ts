import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cancelRevision } from "../../../lib/engine/control/revisions.ts";
import { recoverDeployments } from "../../../lib/engine/control/recover.ts";
import { type BuildStep, buildSteps } from "../../../lib/protocol/build-steps.ts";
import { nextRevisionState } from "../../../lib/rules/revisions/state.ts";
import { type Controlled, controlForTest } from "./controlled.ts";

const MINUTES: Record<BuildStep, number> = {
  cloning: 5,
  validating: 1,
  installing: 15,
  building: 2,
  starting: 2,
  checking: 1,
};

let fixture: Controlled;
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23), toFake: ["setTimeout", "clearTimeout", "Date"] });
  fixture = await controlForTest();
});
afterEach(async () => {
  await fixture.close();
  vi.useRealTimers();
});

describe("the builder", () => {
  test("takes a revision from its first step until it is live", async () => {
    await fixture.deploy("bot");
    await fixture.builder.idle();
    expect(fixture.begun).toEqual(buildSteps.map((step) => `bot/1 ${step}`));
    const live = await fixture.revision("bot");
    expect(live).toMatchObject({
      state: "live",
      build_of: 1,
      problem: null,
      shapes: { agent: { nodes: [], keys: null } },
    });
    expect(live.steps.map(({ step, ended_at }) => [step, ended_at !== null])).toEqual(
      buildSteps.map((one) => [one, true]),
    );
    expect(await fixture.control.deployments.get("bot")).toMatchObject({ live: 1 });
    expect([...fixture.serving]).toEqual([["bot", 1]]);
    expect(fixture.logged).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("claims the oldest revisions first, as many as there are slots, and the next when one ends", async () => {
    fixture.newBuilder(2);
    const first = fixture.hold("building");
    for (const name of ["c", "a", "b", "d"]) {
      await fixture.deploy(name);
      vi.setSystemTime(Date.now() + 1000);
    }
    const signal = await first;
    await vi.waitFor(() => expect(fixture.begun).toContain("d/1 checking"));
    const cloned = fixture.begun.filter((one) => one.endsWith("cloning"));
    expect(cloned).toEqual(["c/1 cloning", "a/1 cloning", "b/1 cloning", "d/1 cloning"]);
    const places = ["a/1 checking", "b/1 cloning", "b/1 checking", "d/1 cloning"].map((one) =>
      fixture.begun.indexOf(one),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // The last one is being checked. The first one is held.
    await vi.waitFor(() => expect([...fixture.control.building.values()]).toHaveLength(1));
    expect(signal?.aborted).toBe(false);
  });

  test("announces the end of a failed build before it removes the files, which takes a while", async () => {
    const order: string[] = [];
    vi.spyOn(fixture.control.buildTools, "remove").mockImplementation(() =>
      Promise.resolve(void order.push("removed")),
    );
    fixture.during("installing", () => {
      vi.spyOn(fixture.control, "emitChange").mockImplementation(() => void order.push("announced"));
      throw new Error("no packages");
    });
    await fixture.deploy("bot");
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "install_failed" });
    expect(order).toEqual(["announced", "removed"]);
  });

  test("builds one revision of a deployment at a time, and then the newest of those queued meanwhile", async () => {
    const held = fixture.hold("installing");
    await fixture.deploy("bot");
    await held;
    for (let n = 0; n < 3; n++) await fixture.deployAgain("bot");
    await fixture.deploy("other");
    await vi.waitFor(async () => expect(await fixture.revision("other")).toMatchObject({ state: "live" }));
    expect(fixture.begun.filter((one) => one.startsWith("bot/"))).toEqual(
      ["cloning", "validating", "installing"].map((step) => `bot/1 ${step}`),
    );
    await cancelRevision(
      fixture.platform,
      fixture.control,
      (await fixture.control.deployments.get("bot")) ?? expect.fail("no bot"),
      await fixture.revision("bot", 1),
    );
    await fixture.builder.idle();
    const states = [1, 2, 3, 4].map(async (number) => (await fixture.revision("bot", number)).state);
    expect(await Promise.all(states)).toEqual(["cancelled", "skipped", "skipped", "live"]);
  });

  test("never builds two revisions of a deployment at once, however many are queued", async () => {
    const requests = fc.array(fc.record({ name: fc.constantFrom("a", "b", "c"), turns: fc.nat(20) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 1, max: 4 }), async (all, slots) => {
        await fixture.close();
        fixture = await controlForTest(slots);
        const building = new Set<string>();
        let overlaps = 0;
        for (const step of buildSteps) {
          fixture.during(step, () => {
            const numbers = [...fixture.control.building.keys()].map((one) => one.split("/")[0] ?? "");
            if (new Set(numbers).size < numbers.length || numbers.length > slots) overlaps++;
            for (const one of numbers) building.add(one);
          });
        }
        for (const name of ["a", "b", "c"]) await fixture.deploy(name);
        for (const { name, turns } of all) {
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
          await fixture.deployAgain(name);
        }
        await fixture.builder.idle();
        expect(overlaps).toBe(0);
        expect(building.size).toBe(3);
        for (const name of ["a", "b", "c"]) expect(await fixture.revision(name)).toMatchObject({ state: "live" });
      }),
      { numRuns: 10 },
    );
  });
});

describe.each(buildSteps)("a build while it is %s", (step) => {
  test("cancels a build at once, and leaves nothing", async () => {
    const held = fixture.hold(step);
    const deployment = await fixture.deploy("bot");
    await held;
    const revision = await fixture.revision("bot");
    expect(revision.state).toBe(step);
    const cancelled = await cancelRevision(fixture.platform, fixture.control, deployment, revision);
    expect(cancelled).toMatchObject({ state: "cancelled", problem: null, build_of: null });
    expect(cancelled.steps.every(({ ended_at }) => ended_at !== null)).toBe(true);
    expect((await fixture.log(cancelled)).at(-1)).toBe("Cancelled");
    expect(fixture.removed).toEqual(["bot/1"]);
    expect(fixture.logged).toEqual([]);
    await fixture.expectNextGoesLive("bot");
  });

  test("fails a build at its time limit, not before", async () => {
    const held = fixture.hold(step);
    await fixture.deploy("bot");
    const signal = await held;
    await vi.advanceTimersByTimeAsync(MINUTES[step] * 60_000 - 1);
    expect(signal?.aborted ?? false).toBe(false);
    expect(await fixture.revision("bot")).toMatchObject({ state: step });
    await vi.advanceTimersByTimeAsync(1);
    await fixture.builder.idle();
    const minutes = MINUTES[step] === 1 ? "1 minute" : `${MINUTES[step]} minutes`;
    expect(await fixture.revision("bot")).toMatchObject({
      state: nextRevisionState(step, "fail"),
      problem: { step, message: expect.stringContaining(`took longer than ${minutes}`) },
      build_of: null,
    });
    await fixture.expectNextGoesLive("bot");
  });

  test("requeues a build when the platform stops, and the next one builds it", async () => {
    const held = fixture.hold(step);
    await fixture.deploy("bot");
    await held;
    await fixture.builder.stop();
    expect(fixture.control.building.size).toBe(0);
    const waiting = await fixture.revision("bot");
    expect(waiting).toMatchObject({ state: "queued", token: 1, steps: [], build_of: null, problem: null });
    expect((await fixture.log(waiting)).at(-1)).toBe("The platform stops; the build is repeated later");
    fixture.builder.wake();
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "queued" });
    fixture.newBuilder().wake();
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "live", token: 2 });
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "kaput"],
    ["an error", new TypeError("kaput")],
    ["an object without a prototype", Object.create(null) as object],
    ["an error without a message to read", Object.defineProperty(new Error(), "message", { get: () => expect.fail() })],
  ])("fails with a sentence when %s is thrown", async (what, thrown) => {
    // Ports may throw values that are no errors.
    fixture.during(step, () => Promise.reject(thrown));
    await fixture.deploy("bot");
    await fixture.builder.idle();
    // A failed drawing is logged, unless the thrown value has no text.
    if (step === "checking" && !what.includes("without")) {
      expect(await fixture.revision("bot")).toMatchObject({ state: "live", problem: null });
    } else {
      const problem = { step, message: "The platform itself failed; the server's log says why" };
      expect(await fixture.revision("bot")).toMatchObject({ state: nextRevisionState(step, "fail"), problem });
      expect(fixture.logged).toEqual([`build of bot: ${step}`]);
    }
    fixture.during(step, undefined);
    await fixture.expectNextGoesLive("bot");
  });

  test("leaves a revision alone that another process has moved", async () => {
    fixture.during(step, async () => {
      const { deployment_id, number, token, state } = await fixture.revision("bot");
      fixture.during(step, undefined);
      expect(await fixture.control.revisions.move({ deployment_id, number, token }, state, "cancelled", {})).toBe(true);
    });
    await fixture.deploy("bot");
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "cancelled", problem: null });
    expect(fixture.begun.at(-1)).toBe(`bot/1 ${step}`);
    expect([fixture.removed, fixture.logged, [...fixture.serving]]).toEqual([[], [], []]);
    await fixture.expectNextGoesLive("bot");
  });

  test("repeats a build twice after the platform has died, and fails it the third time", async () => {
    await fixture.builder.stop();
    await fixture.deploy("bot");
    for (let death = 1; death <= 3; death++) {
      const claimed = await fixture.control.revisions.claim();
      if (!claimed) expect.fail("nothing waits");
      for (const next of buildSteps.slice(0, buildSteps.indexOf(step))) {
        const to = buildSteps[buildSteps.indexOf(next) + 1] ?? "checking";
        const steps = [{ step: to, started_at: "2026", ended_at: null }];
        expect(await fixture.control.revisions.move(claimed, next, to, { steps })).toBe(true);
      }
      await recoverDeployments(fixture.platform, fixture.control);
      expect(await fixture.revision("bot")).toMatchObject({
        state: death < 3 ? "queued" : nextRevisionState(step, "fail"),
        token: death,
      });
    }
    const problem = { step, message: "The platform stopped 3 times during this build" };
    expect(await fixture.revision("bot")).toMatchObject({ problem, build_of: null });
    expect(fixture.removed).toEqual(["bot/1", "bot/1", "bot/1"]);
    fixture.newBuilder();
    await fixture.expectNextGoesLive("bot");
  });
});
