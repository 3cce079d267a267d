import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GroupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { platformStores, type PlatformStores } from "../../lib/drivers/sql/platform/stores.ts";
import type { PlatformTables } from "../../lib/drivers/sql/platform/tables.ts";
import type { StoredDeployment, StoredRevision } from "../../lib/engine/ports/builds.ts";
import type { SecretsChange, StoredVariable } from "../../lib/engine/ports/variables.ts";
import type { BuildStep } from "../../lib/protocol/build-steps.ts";
import { sessionStoreSuite } from "./sessions.suite.ts";

export interface PlatformDatabaseUnderTest {
  db: Kysely<PlatformTables>;
  commit: GroupCommit<PlatformTables>;
  close(): Promise<void>;
}

const source = { type: "git", url: "https://example.com/acme/bot.git" } as const;
let clock = 0;
const now = (): string => new Date(Date.UTC(2026, 10, 21) + clock++).toISOString();

function newDeployment(name: string): StoredDeployment {
  return {
    deployment_id: randomUUID(),
    name,
    source,
    settings: {
      install_scripts: false,
      child_processes: false,
      addons: false,
      workers: 1,
      memory_mb: 512,
      scratch_mb: 1_024,
      log_mb: 32,
      auto_deploy: false,
    },
    wanted: "running",
    live: null,
    created_at: now(),
    updated_at: now(),
  };
}

const firstRevision = () => ({ trigger: "create" as const, source, build_of: null, created_at: now() });

/** Tests that every database of the platform must pass. */
export function platformSuite(name: string, open: () => Promise<PlatformDatabaseUnderTest>): void {
  sessionStoreSuite(name, open);
  describe(`the platform in ${name}`, () => {
    let database: PlatformDatabaseUnderTest;
    let stores: PlatformStores;
    beforeEach(async () => {
      database = await open();
      stores = openStores(database);
    });
    afterEach(() => database.close());

    async function deployed(deploymentName: string): Promise<StoredDeployment> {
      const deployment = newDeployment(deploymentName);
      expect(await stores.deployments.insert(deployment, firstRevision())).toBe(true);
      return deployment;
    }

    test("a deployment is read as it was stored, and its name is taken until it is deleted", async () => {
      const bot = await deployed("bot");
      expect(await stores.deployments.get("bot")).toEqual(bot);
      expect(await stores.deployments.byId(bot.deployment_id)).toEqual(bot);
      expect(await stores.deployments.insert(newDeployment("bot"), firstRevision())).toBe(false);
      const other = await deployed("another");
      expect(await stores.deployments.list()).toEqual([other, bot]);
      await stores.deployments.delete("bot");
      expect(await stores.deployments.get("bot")).toBeUndefined();
      expect(await stores.revisions.get(bot.deployment_id, 1)).toBeUndefined();
      await deployed("bot");
    });

    test("a change of a deployment leaves its other fields unchanged", async () => {
      const bot = await deployed("bot");
      const settings = { ...bot.settings, memory_mb: 1024 };
      const changed = await stores.deployments.update("bot", { settings, wanted: "stopped" }, "2030");
      expect(changed).toEqual({ ...bot, settings, wanted: "stopped", updated_at: "2030" });
      expect(await stores.deployments.update("none", { wanted: "stopped" }, "2030")).toBeUndefined();
    });

    const variable = (key: string, value: string, secret = true) => ({ name: key, value, secret, updated_at: now() });
    /** The database refuses this one, after the statements before it. */
    const unstorable = { ...variable("B", ""), value: null } as unknown as StoredVariable;

    test("a deployment is stored with its first revision, its variables and credentials, or not at all", async () => {
      const bot = newDeployment("bot");
      const [a, b] = [variable("A", "1"), variable("B", "2", false)];
      const withVariables = (set: StoredVariable[]) =>
        stores.deployments.insert(bot, firstRevision(), { credentials: "sealed", variables: { set, remove: [] } });
      await expect(withVariables([a, unstorable])).rejects.toThrow(/null/i);
      expect(await stores.deployments.get("bot")).toBeUndefined();
      expect(await stores.revisions.inState(["queued"])).toEqual([]);
      expect(await stores.variables.list(bot.deployment_id)).toEqual([]);
      expect(await withVariables([a, b])).toBe(true);
      expect(await stores.revisions.inState(["queued"])).toMatchObject([{ number: 1, trigger: "create" }]);
      expect(await stores.variables.list(bot.deployment_id)).toEqual([a, b]);
      expect(await stores.variables.credentials(bot.deployment_id)).toBe("sealed");
      expect(await stores.deployments.insert({ ...newDeployment("bot") }, firstRevision(), {})).toBe(false);
    });

    test("a revision and the changes that come with it are stored together or not at all", async () => {
      const bot = await deployed("bot");
      const { deployment_id } = bot;
      const settings = { ...bot.settings, auto_deploy: true };
      const changeTo = (set: StoredVariable[]) =>
        ({ wanted: "stopped", settings, credentials: "sealed", variables: { set, remove: [] } }) as const;
      const asBefore = async (): Promise<void> => {
        expect(await stores.deployments.get("bot")).toEqual(bot);
        expect(await stores.variables.list(deployment_id)).toEqual([]);
        expect(await stores.variables.credentials(deployment_id)).toBeUndefined();
        expect(await stores.revisions.list(deployment_id, { limit: 9 })).toMatchObject([
          { number: 1, state: "queued" },
        ]);
      };
      const [a] = [variable("A", "1")];
      await expect(stores.revisions.queue(deployment_id, firstRevision(), changeTo([a, unstorable]))).rejects.toThrow(
        /null/i,
      );
      await asBefore();
      await expect(stores.deployments.update("bot", changeTo([a, unstorable]), now())).rejects.toThrow(/null/i);
      await asBefore();
      const revision = { ...firstRevision(), created_at: "2030" };
      expect(await stores.revisions.queue(deployment_id, revision, changeTo([a]))).toMatchObject({ number: 2 });
      const changed = { ...bot, wanted: "stopped", settings, updated_at: "2030" };
      expect(await stores.deployments.get("bot")).toEqual(changed);
      expect(await stores.variables.list(deployment_id)).toEqual([a]);
      expect(await stores.variables.credentials(deployment_id)).toBe("sealed");
      const alone = { variables: { set: [], remove: ["A"] } };
      expect(await stores.revisions.queue(deployment_id, firstRevision(), alone)).toMatchObject({ number: 3 });
      expect(await stores.deployments.get("bot")).toEqual(changed);
      expect(await stores.variables.list(deployment_id)).toEqual([]);
    });

    test("a deployment that is being deleted, or is deleted, accepts no revisions", async () => {
      const { deployment_id } = await deployed("bot");
      await stores.deployments.update("bot", { wanted: "deleted" }, now());
      const push = { delivery: "one", sha: "aaa", since: "" };
      expect(await stores.revisions.queue(deployment_id, firstRevision(), { wanted: "running" })).toBeUndefined();
      expect(await stores.revisions.queuePush(deployment_id, firstRevision(), push)).toBeUndefined();
      expect(await stores.deployments.get("bot")).toMatchObject({ wanted: "deleted" });
      expect(await stores.revisions.list(deployment_id, { limit: 9 })).toMatchObject([{ number: 1, state: "queued" }]);
      expect(await stores.revisions.queue(randomUUID(), firstRevision())).toBeUndefined();
    });

    test("revisions are numbered, and a queued one is skipped when the next is queued", async () => {
      const { deployment_id } = await deployed("bot");
      const second = await stores.revisions.queue(deployment_id, firstRevision());
      const third = await stores.revisions.queue(deployment_id, { ...firstRevision(), trigger: "push" });
      expect([second?.number, third?.number]).toEqual([2, 3]);
      const listed = await stores.revisions.list(deployment_id, { limit: 10 });
      expect(listed.map(({ number, state }) => [number, state])).toEqual([
        [3, "queued"],
        [2, "skipped"],
        [1, "skipped"],
      ]);
      expect((await stores.revisions.list(deployment_id, { limit: 1, before: 3 })).map((one) => one.number)).toEqual([
        2,
      ]);
      expect(listed[0]).toEqual(third);
    });

    test("a push makes one revision, however often it is delivered, unless that revision failed", async () => {
      const { deployment_id } = await deployed("bot");
      const push = (delivery: string, sha: string, since = "") =>
        stores.revisions.queuePush(deployment_id, { ...firstRevision(), trigger: "push" }, { delivery, sha, since });
      const many = await Promise.all(Array.from({ length: 8 }, () => push("one", "aaa")));
      expect(many.filter((one) => one !== undefined).map(({ number }) => number)).toEqual([2]);
      expect(await push("two", "aaa")).toBeUndefined();
      expect(await push("three", "bbb")).toMatchObject({ number: 3, trigger: "push", state: "queued" });
      // The newest revision has another commit by now, so a push of the first commit means to go back to it.
      expect(await push("four", "aaa")).toMatchObject({ number: 4 });
      const claimed = await stores.revisions.claim();
      if (!claimed) throw new Error("nothing to claim");
      expect(await push("five", "aaa")).toBeUndefined();
      expect(await stores.revisions.move(claimed, "cloning", "source_failed", {})).toBe(true);
      expect(await push("four", "aaa")).toBeUndefined();
      expect(await push("six", "aaa")).toMatchObject({ number: 5 });
      expect(await push("four", "ccc", "9")).toMatchObject({ number: 6 });
    });

    test("concurrent revisions get distinct numbers, and only the last one stays queued", async () => {
      const { deployment_id } = await deployed("bot");
      const queued = await Promise.all(
        Array.from({ length: 20 }, () => stores.revisions.queue(deployment_id, firstRevision())),
      );
      expect(queued.map((one) => one?.number ?? 0).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 2),
      );
      const waiting = await stores.revisions.inState(["queued"]);
      expect(waiting.map((one) => one.number)).toEqual([21]);
    });

    test("the oldest queued revision is claimed, none twice, and one at a time per deployment", async () => {
      const ids: string[] = [];
      for (const one of ["a", "b", "c"]) ids.push((await deployed(one)).deployment_id);
      expect(await stores.revisions.ahead({ deployment_id: ids[2] ?? "", number: 1 })).toBe(2);
      const claims = await Promise.all(Array.from({ length: 8 }, () => stores.revisions.claim()));
      const claimed = claims.filter((one) => one !== undefined);
      expect(claimed.map((one) => one.deployment_id).toSorted()).toEqual(ids.toSorted());
      expect(claimed.every((one) => one.state === "cloning" && one.token === 1)).toBe(true);
      await stores.revisions.queue(ids[0] ?? "", firstRevision());
      expect(await stores.revisions.claim()).toBeUndefined();
      const first = claimed.find((one) => one.deployment_id === ids[0]) as StoredRevision;
      await stores.revisions.move(first, "cloning", "cancelled", { ended_at: now() });
      expect(await stores.revisions.claim()).toMatchObject({ deployment_id: ids[0], number: 2 });
    });

    test("a revision that reuses a build begins with the start of its code", async () => {
      const { deployment_id } = await deployed("bot");
      await stores.revisions.queue(deployment_id, { ...firstRevision(), trigger: "environment", build_of: 1 });
      expect(await stores.revisions.claim()).toMatchObject({ number: 2, state: "starting", build_of: 1 });
    });

    test("a transition from another state, or with an older token, changes nothing", async () => {
      const { deployment_id } = await deployed("bot");
      const first = await claimed();
      const commit = { sha: "abc", message: "m", author: "a", committed_at: now() };
      expect(await stores.revisions.move(first, "cloning", "validating", { commit })).toBe(true);
      expect(await stores.revisions.move(first, "cloning", "validating", {})).toBe(false);
      expect(await stores.revisions.move({ ...first, token: 0 }, "validating", "installing", {})).toBe(false);
      expect(await stores.revisions.move(first, "validating", "queued", {})).toBe(true);
      const again = await claimed();
      expect(again.token).toBe(2);
      expect(await stores.revisions.move(first, "cloning", "source_failed", {})).toBe(false);
      expect(await stores.revisions.get(deployment_id, 1)).toMatchObject({ state: "cloning", commit });
    });

    async function claimed(): Promise<StoredRevision> {
      const revision = await stores.revisions.claim();
      if (!revision) throw new Error("nothing waits");
      return revision;
    }

    async function goLive(): Promise<StoredRevision> {
      const revision = await claimed();
      const steps: BuildStep[] = ["cloning", "validating", "installing", "building", "starting", "checking"];
      const way = steps.slice(steps.indexOf(revision.state as BuildStep));
      for (const [index, step] of way.entries()) {
        const next = way[index + 1];
        if (next) expect(await stores.revisions.move(revision, step, next, {})).toBe(true);
      }
      expect(await stores.revisions.goLive(revision, { live_at: "2031", build_of: revision.number })).toBe(true);
      return revision;
    }

    test("a revision that goes live replaces the previous one in one step", async () => {
      const { deployment_id } = await deployed("bot");
      const first = await goLive();
      expect(await stores.deployments.get("bot")).toMatchObject({ live: 1 });
      await stores.revisions.queue(deployment_id, firstRevision());
      await goLive();
      expect(await stores.deployments.get("bot")).toMatchObject({ live: 2 });
      expect(await stores.revisions.get(deployment_id, 1)).toMatchObject({
        state: "replaced",
        ended_at: "2031",
        build_of: 1,
      });
      expect(await stores.revisions.get(deployment_id, 2)).toMatchObject({ state: "live", live_at: "2031" });
      expect(await stores.revisions.goLive(first, {})).toBe(false);
    });

    test("variables are set and removed together, credentials and the secret of pushes are replaced", async () => {
      const { deployment_id } = await deployed("bot");
      const change = (secrets: SecretsChange) => stores.deployments.update("bot", secrets, now());
      const a = variable("A", "1");
      const b = variable("B", "2", false);
      await change({ variables: { set: [b, a], remove: [] } });
      expect(await stores.variables.list(deployment_id)).toEqual([a, b]);
      const changed = variable("A", "3");
      await change({ variables: { set: [changed], remove: ["B", "none"] } });
      expect(await stores.variables.list(deployment_id)).toEqual([changed]);
      expect(await stores.variables.credentials(deployment_id)).toBeUndefined();
      await change({ credentials: "sealed" });
      expect(await stores.variables.credentials(deployment_id)).toBe("sealed");
      await change({ credentials: null });
      expect(await stores.variables.credentials(deployment_id)).toBeUndefined();
      expect(await stores.variables.hook(deployment_id)).toBeUndefined();
      await stores.variables.setHook(deployment_id, "sealed");
      expect(await stores.variables.hook(deployment_id)).toBe("sealed");
      await stores.variables.setHook(deployment_id, undefined);
      expect(await stores.variables.hook(deployment_id)).toBeUndefined();
    });
  });
}

export function openStores({ db, commit }: PlatformDatabaseUnderTest): PlatformStores {
  const onFailure = (cause: unknown): never => {
    throw cause;
  };
  return platformStores(db, commit, { now: Date.now, onFailure });
}
