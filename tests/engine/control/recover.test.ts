import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteDeployment, stopDeployment } from "../../../lib/engine/control/deployments.ts";
import { recoverDeployments } from "../../../lib/engine/control/recover.ts";
import { RETRY_MS } from "../../../lib/engine/loop.ts";
import { StepFailure } from "../../../lib/engine/ports/builds.ts";
import { buildSteps } from "../../../lib/protocol/build-steps.ts";
import { type Controlled, controlForTest } from "./controlled.ts";

let world: Controlled;
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23), toFake: ["setTimeout", "clearTimeout", "Date"] });
  world = await controlForTest();
});
afterEach(async () => {
  await world.close();
  vi.useRealTimers();
});

describe("a build that the database fails", () => {
  const breakTable = (name: string) => world.execute(`alter table ${name} rename to broken_${name}`);
  const mendTable = (name: string) => world.execute(`alter table broken_${name} rename to ${name}`);

  test("before its deployment was read is built when the database is back", async () => {
    const deployment = await world.deploy("bot");
    await world.builder.idle();
    await world.deployAgain("bot");
    // A claim reads no table but that of the revisions.
    await breakTable("deployments");
    await world.builder.idle();
    expect(world.logged).toContain("the end of a build could not be stored");
    expect([...world.control.building]).toEqual([]);
    await mendTable("deployments");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await world.builder.idle();
    expect(await world.revision("bot")).toMatchObject({ number: 2, state: "live", token: 2 });
    expect(deployment.deployment_id).toBe((await world.revision("bot")).deployment_id);
    await world.expectNextGoesLive("bot");
  });

  test("at the start of any step, or at its end, fails with the reason", async () => {
    for (const state of buildSteps.slice(1)) {
      await world.execute(
        `create trigger away before update on revisions when new.state = '${state}' begin select raise(abort, 'away'); end`,
      );
      if (await world.control.deployments.get("bot")) await world.deployAgain("bot");
      else await world.deploy("bot");
      await world.builder.idle();
      const failed = await world.revision("bot");
      expect(failed.state, state).toMatch(/_failed$/);
      expect(failed.problem).toMatchObject({ message: expect.stringContaining("The platform itself failed") });
      await world.execute("drop trigger away");
    }
    await world.expectNextGoesLive("bot");
  });

  test("when its end is stored ends once that is possible, whatever else is built meanwhile", async () => {
    await world.execute(
      `create trigger away before update on revisions when new.state like '%_failed' begin select raise(abort, 'away'); end`,
    );
    world.during("installing", () => {
      throw new StepFailure("There is no such package", { fix: "Name another." });
    });
    await world.deploy("bot");
    await world.builder.idle();
    world.during("installing", undefined);
    expect(await world.revision("bot")).toMatchObject({ state: "installing" });
    expect([...world.control.building]).toEqual([]);
    await world.deploy("other");
    await world.builder.idle();
    expect(await world.revision("other")).toMatchObject({ state: "live" });
    await world.deployAgain("bot");
    await world.builder.idle();
    expect(await world.revision("bot", 1)).toMatchObject({ state: "installing" });
    await world.execute("drop trigger away");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await world.builder.idle();
    const problem = { step: "installing", message: "There is no such package", fix: "Name another." };
    expect(await world.revision("bot", 1)).toMatchObject({ state: "install_failed", problem });
    expect((await world.log(await world.revision("bot", 1))).filter((text) => text.includes("no such"))).toHaveLength(
      1,
    );
    expect(await world.revision("bot")).toMatchObject({ number: 2, state: "live" });
    expect(world.removed).toEqual(["bot/1"]);
  });

  test("when its end is stored leaves a revision alone that another process has claimed meanwhile", async () => {
    await world.execute(
      `create trigger away before update on revisions when new.state like '%_failed' begin select raise(abort, 'away'); end`,
    );
    world.during("cloning", () => Promise.reject(new StepFailure("There is no such repository")));
    await world.deploy("bot");
    await world.builder.idle();
    const mine = await world.revision("bot");
    expect(await world.control.revisions.move(mine, "cloning", "queued", {})).toBe(true);
    expect(await world.control.revisions.claim()).toMatchObject({ number: 1, token: 2 });
    await world.execute("drop trigger away");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await world.builder.idle();
    expect(await world.revision("bot")).toMatchObject({ state: "cloning", token: 2, problem: null });
    expect(vi.getTimerCount()).toBe(0);
    await recoverDeployments(world.platform, world.control);
  });

  test("after it went live, before the builder knew, serves", async () => {
    const { goLive } = world.control.revisions;
    world.control.revisions.goLive = async (...args) => {
      world.control.revisions.goLive = goLive;
      expect(await goLive(...args)).toBe(true);
      throw new Error("the connection was lost");
    };
    await world.deploy("bot");
    await world.builder.idle();
    expect(await world.revision("bot")).toMatchObject({ state: "live" });
    expect(world.serving.get("bot")).toBe(1);
    expect(world.removed).toEqual([]);
    expect(world.logged).toEqual(["build of bot"]);
    await world.expectNextGoesLive("bot");
  });
});

describe("a deployment", () => {
  const recover = () => recoverDeployments(world.platform, world.control);

  test("that an older version stored without a revision gets its first one when the platform starts", async () => {
    await world.builder.stop();
    await world.deploy("bot");
    await world.execute("delete from revisions");
    await world.execute("update deployments set next_revision = 1");
    await recover();
    await recover();
    expect(await world.control.revisions.inState(["queued"])).toMatchObject([
      { number: 1, trigger: "create", source: { type: "git", url: "https://example.com/acme/bot.git" } },
    ]);
    world.newBuilder().wake();
    await world.builder.idle();
    expect(await world.revision("bot")).toMatchObject({ number: 1, state: "live" });
  });

  test("whose deletion was begun is gone after the next start, and a failed deletion keeps no other from starting", async () => {
    for (const name of ["bot", "stuck", "other"]) await world.deploy(name);
    await world.builder.idle();
    for (const name of ["bot", "stuck"]) await world.control.deployments.update(name, { wanted: "deleted" }, "2030");
    await world.execute(
      "delete from revisions where deployment_id = (select deployment_id from deployments where name = 'other')",
    );
    const { remove } = world.control.hosting;
    world.control.hosting.remove = (name) => (name === "stuck" ? Promise.reject(new Error("busy")) : remove(name));
    await recover();
    expect((await world.control.deployments.list()).map(({ name }) => name)).toEqual(["other", "stuck"]);
    expect(world.removed).toContain("bot");
    expect(world.logged).toEqual(["deployment stuck could not be recovered"]);
    expect(await world.revision("other")).toMatchObject({ state: "queued" });
  });

  test("that was being stopped is stopped after the next start", async () => {
    await world.deploy("bot");
    await world.builder.idle();
    await world.control.deployments.update("bot", { wanted: "stopped" }, "2030");
    await recover();
    expect(await world.revision("bot")).toMatchObject({ state: "stopped" });
    expect(await world.control.deployments.get("bot")).toMatchObject({ wanted: "stopped", updated_at: "2030" });
  });

  test.each(["stopped", "deleted"] as const)("that is %s while it is built ends its build", async (wanted) => {
    const held = world.hold("building");
    const deployment = await world.deploy("bot");
    await held;
    await (wanted === "stopped" ? stopDeployment : deleteDeployment)(world.platform, world.control, deployment);
    expect(world.control.building.size).toBe(0);
    expect(await world.control.revisions.inState(buildSteps)).toEqual([]);
    if (wanted === "deleted") expect(await world.control.deployments.get("bot")).toBeUndefined();
    else {
      expect(await world.revision("bot")).toMatchObject({ state: "cancelled" });
      await world.expectNextGoesLive("bot");
    }
  });
});
