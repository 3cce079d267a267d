import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteDeployment, stopDeployment } from "../../../lib/engine/control/deployments.ts";
import { recoverDeployments } from "../../../lib/engine/control/recover.ts";
import { RETRY_MS } from "../../../lib/engine/loop.ts";
import { StepFailure } from "../../../lib/engine/ports/builds.ts";
import { buildSteps } from "../../../lib/protocol/build-steps.ts";
import { type Controlled, controlForTest } from "./controlled.ts";

let fixture: Controlled;
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23), toFake: ["setTimeout", "clearTimeout", "Date"] });
  fixture = await controlForTest();
});
afterEach(async () => {
  await fixture.close();
  vi.useRealTimers();
});

describe("a build that the database fails", () => {
  const breakTable = (name: string) => fixture.execute(`alter table ${name} rename to broken_${name}`);
  const mendTable = (name: string) => fixture.execute(`alter table broken_${name} rename to ${name}`);

  test("before its deployment was read is built when the database is back", async () => {
    const deployment = await fixture.deploy("bot");
    await fixture.builder.idle();
    await fixture.deployAgain("bot");
    // A claim reads no table but that of the revisions.
    await breakTable("deployments");
    await fixture.builder.idle();
    expect(fixture.logged).toContain("the end of a build could not be stored");
    expect([...fixture.control.building]).toEqual([]);
    await mendTable("deployments");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ number: 2, state: "live", token: 2 });
    expect(deployment.deployment_id).toBe((await fixture.revision("bot")).deployment_id);
    await fixture.expectNextGoesLive("bot");
  });

  test("at the start of any step, or at its end, fails with the reason", async () => {
    for (const state of buildSteps.slice(1)) {
      await fixture.execute(
        `create trigger away before update on revisions when new.state = '${state}' begin select raise(abort, 'away'); end`,
      );
      if (await fixture.control.deployments.get("bot")) await fixture.deployAgain("bot");
      else await fixture.deploy("bot");
      await fixture.builder.idle();
      const failed = await fixture.revision("bot");
      expect(failed.state, state).toMatch(/_failed$/);
      expect(failed.problem).toMatchObject({ message: expect.stringContaining("The platform itself failed") });
      await fixture.execute("drop trigger away");
    }
    await fixture.expectNextGoesLive("bot");
  });

  test("when its end is stored ends once that is possible, whatever else is built meanwhile", async () => {
    await fixture.execute(
      `create trigger away before update on revisions when new.state like '%_failed' begin select raise(abort, 'away'); end`,
    );
    fixture.during("installing", () => {
      throw new StepFailure("There is no such package", { fix: "Name another." });
    });
    await fixture.deploy("bot");
    await fixture.builder.idle();
    fixture.during("installing", undefined);
    expect(await fixture.revision("bot")).toMatchObject({ state: "installing" });
    expect([...fixture.control.building]).toEqual([]);
    await fixture.deploy("other");
    await fixture.builder.idle();
    expect(await fixture.revision("other")).toMatchObject({ state: "live" });
    await fixture.deployAgain("bot");
    await fixture.builder.idle();
    expect(await fixture.revision("bot", 1)).toMatchObject({ state: "installing" });
    await fixture.execute("drop trigger away");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await fixture.builder.idle();
    const problem = { step: "installing", message: "There is no such package", fix: "Name another." };
    expect(await fixture.revision("bot", 1)).toMatchObject({ state: "install_failed", problem });
    expect(
      (await fixture.log(await fixture.revision("bot", 1))).filter((text) => text.includes("no such")),
    ).toHaveLength(1);
    expect(await fixture.revision("bot")).toMatchObject({ number: 2, state: "live" });
    expect(fixture.removed).toEqual(["bot/1"]);
  });

  test("when its end is stored leaves a revision alone that another process has claimed meanwhile", async () => {
    await fixture.execute(
      `create trigger away before update on revisions when new.state like '%_failed' begin select raise(abort, 'away'); end`,
    );
    fixture.during("cloning", () => Promise.reject(new StepFailure("There is no such repository")));
    await fixture.deploy("bot");
    await fixture.builder.idle();
    const mine = await fixture.revision("bot");
    expect(await fixture.control.revisions.move(mine, "cloning", "queued", {})).toBe(true);
    expect(await fixture.control.revisions.claim()).toMatchObject({ number: 1, token: 2 });
    await fixture.execute("drop trigger away");
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "cloning", token: 2, problem: null });
    expect(vi.getTimerCount()).toBe(0);
    await recoverDeployments(fixture.platform, fixture.control);
  });

  test("after it went live, before the builder knew, serves", async () => {
    const { goLive } = fixture.control.revisions;
    fixture.control.revisions.goLive = async (...args) => {
      fixture.control.revisions.goLive = goLive;
      expect(await goLive(...args)).toBe(true);
      throw new Error("the connection was lost");
    };
    await fixture.deploy("bot");
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ state: "live" });
    expect(fixture.serving.get("bot")).toBe(1);
    expect(fixture.removed).toEqual([]);
    expect(fixture.logged).toEqual(["build of bot"]);
    await fixture.expectNextGoesLive("bot");
  });
});

describe("a deployment", () => {
  const recover = () => recoverDeployments(fixture.platform, fixture.control);

  test("that an older version stored without a revision gets its first one when the platform starts", async () => {
    await fixture.builder.stop();
    await fixture.deploy("bot");
    await fixture.execute("delete from revisions");
    await fixture.execute("update deployments set next_revision = 1");
    await recover();
    await recover();
    expect(await fixture.control.revisions.inState(["queued"])).toMatchObject([
      { number: 1, trigger: "create", source: { type: "git", url: "https://example.com/acme/bot.git" } },
    ]);
    fixture.newBuilder().wake();
    await fixture.builder.idle();
    expect(await fixture.revision("bot")).toMatchObject({ number: 1, state: "live" });
  });

  test("whose deletion was begun is gone after the next start, and a failed deletion keeps no other from starting", async () => {
    for (const name of ["bot", "stuck", "other"]) await fixture.deploy(name);
    await fixture.builder.idle();
    for (const name of ["bot", "stuck"]) await fixture.control.deployments.update(name, { wanted: "deleted" }, "2030");
    await fixture.execute(
      "delete from revisions where deployment_id = (select deployment_id from deployments where name = 'other')",
    );
    const { remove } = fixture.control.hosting;
    fixture.control.hosting.remove = (name) => (name === "stuck" ? Promise.reject(new Error("busy")) : remove(name));
    await recover();
    expect((await fixture.control.deployments.list()).map(({ name }) => name)).toEqual(["other", "stuck"]);
    expect(fixture.removed).toContain("bot");
    expect(fixture.logged).toEqual(["deployment stuck could not be recovered"]);
    expect(await fixture.revision("other")).toMatchObject({ state: "queued" });
  });

  test("that was being stopped is stopped after the next start", async () => {
    await fixture.deploy("bot");
    await fixture.builder.idle();
    await fixture.control.deployments.update("bot", { wanted: "stopped" }, "2030");
    await recover();
    expect(await fixture.revision("bot")).toMatchObject({ state: "stopped" });
    expect(await fixture.control.deployments.get("bot")).toMatchObject({ wanted: "stopped", updated_at: "2030" });
  });

  test.each(["stopped", "deleted"] as const)("that is %s while it is built ends its build", async (wanted) => {
    const held = fixture.hold("building");
    const deployment = await fixture.deploy("bot");
    await held;
    await (wanted === "stopped" ? stopDeployment : deleteDeployment)(fixture.platform, fixture.control, deployment);
    expect(fixture.control.building.size).toBe(0);
    expect(await fixture.control.revisions.inState(buildSteps)).toEqual([]);
    if (wanted === "deleted") expect(await fixture.control.deployments.get("bot")).toBeUndefined();
    else {
      expect(await fixture.revision("bot")).toMatchObject({ state: "cancelled" });
      await fixture.expectNextGoesLive("bot");
    }
  });
});
