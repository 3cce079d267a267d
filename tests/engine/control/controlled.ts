/** A control plane over real stores in memory. The test decides what the other ports do in each step. */
import { sql } from "kysely";
import { expect } from "vitest";
import { groupCommit } from "../../../lib/drivers/sql/group-commit.ts";
import { platformShape } from "../../../lib/drivers/sql/platform/shape.ts";
import { platformStores } from "../../../lib/drivers/sql/platform/stores.ts";
import { openSqlite } from "../../../lib/drivers/sql/sqlite.ts";
import { noWorker } from "../../../lib/drivers/workers/no-worker.ts";
import { createBuilder } from "../../../lib/engine/control/builder.ts";
import { createDeployment, getDeployment } from "../../../lib/engine/control/deployments.ts";
import { createRevision } from "../../../lib/engine/control/revisions.ts";
import type { Loop } from "../../../lib/engine/loop.ts";
import type { BuildTools } from "../../../lib/engine/ports/build-tools.ts";
import type { StoredDeployment, StoredRevision } from "../../../lib/engine/ports/builds.ts";
import type { Candidate, ControlPlane, Hosting } from "../../../lib/engine/ports/control.ts";
import type { Platform } from "../../../lib/engine/ports/ports.ts";
import type { BuildStep } from "../../../lib/protocol/build-steps.ts";
import { AppConfig } from "../../../lib/protocol/config.ts";
import type { PreflightReport } from "../../../lib/protocol/preflight.ts";
import { openMemory, serveForTest } from "../served.ts";

const config = AppConfig.parse({ graphs: { agent: "./agent.ts:graph" } });
const source = { type: "git", url: "https://example.com/acme/bot.git" } as const;
const report: PreflightReport = {
  ok: true,
  config_file: "graphlib.json",
  graphs: [{ graph: "agent", file: "agent.ts", export: "graph" }],
  packages: { manager: "npm" },
  node: "24",
  variables: [],
  findings: [],
};

const NO_SCHEMAS = {
  input_schema: null,
  output_schema: null,
  state_schema: null,
  config_schema: null,
  context_schema: null,
};

/** The work of a step; `signal` is undefined while a graph is drawn. */
export type Does = (signal?: AbortSignal) => unknown;

export interface Controlled {
  platform: Platform;
  control: ControlPlane;
  builder: Loop;
  /** The steps in the order in which they began, as `bot/1 cloning`. */
  begun: string[];
  /** Runs SQL in the platform's database. */
  execute(statement: string): Promise<void>;
  /** Replaces the work of a step from now on. */
  during(step: BuildStep, does: Does | undefined): void;
  /** Makes a step wait for its signal and fail with its reason. Resolves when the step has begun. */
  hold(step: BuildStep): Promise<AbortSignal | undefined>;
  /** Numbers of the revisions that serve, by deployment name. */
  serving: Map<string, number>;
  /** Removed files, as `bot/1`. */
  removed: string[];
  /** Logged errors. */
  logged: string[];
  deploy(name: string): Promise<StoredDeployment>;
  deployAgain(name: string): Promise<StoredRevision>;
  /** Checks that nothing is left of a build and that the deployment's next one is built. */
  expectNextGoesLive(name: string): Promise<void>;
  revision(name: string, number?: number): Promise<StoredRevision>;
  /** Returns the lines of the build log. */
  log(revision: StoredRevision): Promise<string[]>;
  /** Starts another process on the same stores, after this one has died or was stopped. */
  newBuilder(slots?: number): Loop;
  close(): Promise<void>;
}

interface StubState {
  at(build: string, step: BuildStep, signal?: AbortSignal): Promise<void>;
  serving: Map<string, number>;
  removed: string[];
}

export async function controlForTest(slots = 4): Promise<Controlled> {
  const db = await openSqlite(":memory:", platformShape);
  const served = await serveForTest({}, await openMemory());
  const clock = { now: () => Date.now() };
  const logged: string[] = [];
  const logger = { warn: () => undefined, error: (message: string) => void logged.push(message) };
  const opened = new Set<string>();
  const find = (name: string) => (opened.has(name) ? served.deployment : undefined);
  const platform: Platform = { ...served.platform, clock, logger, find };
  const onFailure = (cause: unknown): void => void logged.push(String(cause));
  const stores = platformStores(db, groupCommit(db), { now: clock.now, onFailure });
  const begun: string[] = [];
  const doing = new Map<BuildStep, Does>();
  const stubs: StubState = {
    async at(build, step, signal) {
      begun.push(`${build} ${step}`);
      await doing.get(step)?.(signal);
    },
    serving: new Map(),
    removed: [],
  };
  const control: ControlPlane = {
    ...stores,
    box: platform.box,
    buildTools: buildToolsOf(stubs),
    hosting: hostingOf(stubs, opened, () => served.deployment),
    lease: undefined,
    ownFolder: "/app",
    isolation: { allowUnfenced: true, reachable: false, keyed: true, ownUsers: true },
    building: new Map(),
    troubles: new Map(),
    tellOthers: () => undefined,
    wake: () => builder.wake(),
    emitChange: () => undefined,
    noteChange: () => undefined,
  };
  let builder = createBuilder(platform, control, { slots });
  const deployAgain = async (name: string): Promise<StoredRevision> =>
    await createRevision(platform, control, await getDeployment(control, name), {});
  const revision = async (name: string, number?: number): Promise<StoredRevision> => {
    const { deployment_id } = await getDeployment(control, name);
    const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
    const found = number === undefined ? newest : await control.revisions.get(deployment_id, number);
    if (!found) throw new Error(`no revision of ${name}`);
    return found;
  };
  return {
    ...stubs,
    platform,
    control,
    deployAgain,
    revision,
    async expectNextGoesLive(name) {
      expect(control.building.size).toBe(0);
      const { number } = await deployAgain(name);
      await builder.idle();
      expect(await revision(name)).toMatchObject({ number, state: "live", problem: null });
      expect(stubs.serving.get(name)).toBe(number);
    },
    get builder() {
      return builder;
    },
    begun,
    logged,
    execute: async (statement) => void (await sql.raw(statement).execute(db)),
    during: (step, does) => void (does ? doing.set(step, does) : doing.delete(step)),
    hold: (step) =>
      new Promise((resolve) => {
        doing.set(step, (signal) => {
          doing.delete(step);
          resolve(signal);
          return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
        });
      }),
    deploy: (name) => createDeployment(platform, control, { name, source }, { set: {}, plain: [] }),
    async log({ deployment_id, number }) {
      await control.lines.flush();
      return (await control.lines.read(`${deployment_id}/build/${number}`, -1, 100)).map(({ text }) => text);
    },
    newBuilder: (count = slots) => (builder = createBuilder(platform, control, { slots: count })),
    async close() {
      await builder.stop();
      await control.lines.flush();
      await db.destroy();
      await served.close();
    },
  };
}

function buildToolsOf({ at, removed }: StubState): BuildTools {
  const buildOf = (folder: string): string => folder.replace("/builds/", "");
  const refuse = (): Promise<never> => Promise.reject(new Error("not needed"));
  return {
    sources: {
      async fetch(_source, _credentials, into, { signal }) {
        await at(buildOf(into), "cloning", signal);
        return { folder: into, root: into };
      },
      fetchCached: refuse,
      uploads: { receive: refuse },
      sweep: refuse,
    },
    async preflight({ folder }, _variables, signal) {
      await at(buildOf(folder), "validating", signal);
      return report;
    },
    config: () => Promise.resolve(config),
    async install({ folder }, _options, { signal }) {
      await at(buildOf(folder), "installing", signal);
      return { reused: false, key: "none" };
    },
    async compile({ folder }, _code, { signal }) {
      await at(buildOf(folder), "building", signal);
      return { files: 1 };
    },
    newFolder: ({ name, number }) => Promise.resolve(`/builds/${name}/${number}`),
    share: () => Promise.resolve(),
    filesOf: ({ name, number }) =>
      Promise.resolve({ folder: `/builds/${name}/${number}`, root: `/builds/${name}/${number}` }),
    remove: ({ name, number }) => Promise.resolve(void removed.push(`${name}/${number}`)),
    removeAll: ({ name }) => Promise.resolve(void removed.push(name)),
    sweep: () => Promise.resolve(),
  };
}

function hostingOf(
  { at, serving }: StubState,
  opened: Set<string>,
  deployment: () => Awaited<ReturnType<Hosting["open"]>>,
): Hosting {
  const numbers = new WeakMap<Candidate, number>();
  const close = (name: string): Promise<void> => {
    opened.delete(name);
    serving.delete(name);
    return Promise.resolve();
  };
  return {
    open(stored) {
      opened.add(stored.name);
      return Promise.resolve(deployment());
    },
    async start({ deployment: { name }, number }, { signal }) {
      await at(`${name}/${number}`, "starting", signal);
      const worker: Candidate["worker"] = {
        ...noWorker("drawn only"),
        graphs: () => [{ graph: "agent" }],
        async drawing() {
          await at(`${name}/${number}`, "checking");
          return { nodes: [], edges: [] };
        },
        schemas: (graph_id) => Promise.resolve({ graph_id, ...NO_SCHEMAS }),
      };
      const candidate: Candidate = { worker, config, seeds: {}, discard: () => Promise.resolve() };
      numbers.set(candidate, number);
      return candidate;
    },
    resume: ({ deployment: { name }, number }) => Promise.resolve(void serving.set(name, number)),
    serve: (name, candidate) => void serving.set(name, numbers.get(candidate) ?? 0),
    stop: (name) => Promise.resolve(void serving.delete(name)),
    serving: (name) => serving.get(name),
    close,
    remove: close,
  };
}
