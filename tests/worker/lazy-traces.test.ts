import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { getContextVariable, setContextVariable } from "@langchain/core/context";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import fc from "fast-check";
import { isRunTree, RunTree } from "langsmith/run_trees";
import { getCurrentRunTree, traceable } from "langsmith/traceable";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeTracesLazy } from "../../lib/worker/lazy-traces.ts";

type Scope = typeof AsyncLocalStorageProviderSingleton;

const original = AsyncLocalStorageProviderSingleton;
// LangGraph does this when it is loaded.
original.initializeGlobalInstance(new AsyncLocalStorage());
const lazy = Object.create(original) as Scope;
const isReplaced = makeTracesLazy({ AsyncLocalStorageProviderSingleton: lazy });

afterEach(() => vi.unstubAllEnvs());

class Silent extends BaseCallbackHandler {
  name = "silent";
}

const configs = [
  undefined,
  {},
  { tags: ["a"], metadata: { m: 1 }, configurable: { thread_id: "t" } },
  { callbacks: [new Silent()] },
  { callbacks: CallbackManager.configure([new Silent()]), runName: "named" },
];

/** One step into a scope: its configuration, whether it has a tree, and a variable that is set in it. */
const steps = fc.array(
  fc.record({
    config: fc.constantFrom(...configs),
    withoutTree: fc.constantFrom(undefined, false, true),
    variable: fc.option(fc.integer()),
  }),
  { minLength: 1, maxLength: 5 },
);

interface Step {
  config: (typeof configs)[number];
  withoutTree: boolean | undefined;
  variable: number | null;
}

/** Runs code in the empty context of this file. What it enters there does not stay. */
const apart = AsyncLocalStorage.snapshot();

/** Goes into the scopes one by one, and returns what code in each can see. */
function walk(scope: Scope, path: readonly Step[]): unknown[] {
  const [step, ...rest] = path;
  if (!step) return [];
  return scope.runWithConfig<unknown[]>(
    step.config,
    () => {
      const before = seen(scope);
      if (step.variable !== null) setContextVariable("variable", step.variable);
      return [before, seen(scope), ...walk(scope, rest)];
    },
    step.withoutTree,
  );
}

function seen(scope: Scope): unknown {
  const store = scope.getInstance().getStore() as Record<PropertyKey, unknown> | undefined;
  const tree = isRunTree(store) ? store : undefined;
  return {
    config: scope.getRunnableConfig() as unknown,
    variable: getContextVariable<unknown>("variable"),
    missing: getContextVariable<unknown>("missing"),
    store: typeof store,
    isTree: tree !== undefined,
    isInstance: store instanceof RunTree,
    tracing: tree?.tracingEnabled,
    name: tree?.name,
    metadata: tree?.metadata,
    hasId: store !== undefined && "id" in store && typeof store.id,
    keys: store && new Set(Reflect.ownKeys(store).filter((key) => store[key] !== undefined)),
    copied: store && Object.keys(new RunTree(store as never)).toSorted(),
    path: tree?.dotted_order.endsWith(tree.id),
    trace: tree && tree.trace_id === tree.id,
    run: tree?.run_type,
    children: tree?.child_runs,
  };
}

describe("a scope whose tree is lazy", () => {
  it("replaces the function of this release", () => {
    expect(isReplaced).toBe(true);
    expect(lazy.runWithConfig).not.toBe(original.runWithConfig);
  });

  it("shows the same as one whose tree was made at once, whatever is nested", () => {
    fc.assert(
      fc.property(steps, (path) => {
        expect(apart(() => walk(lazy, path))).toEqual(apart(() => walk(original, path)));
      }),
      { numRuns: 300 },
    );
  });

  it("makes no tree when only its configuration is read", () => {
    const made = vi.spyOn(RunTree, "getDefaultConfig");
    lazy.runWithConfig({ tags: ["a"] }, () => {
      expect(lazy.getRunnableConfig()).toEqual({ tags: ["a"] });
      expect(getContextVariable("variable")).toBeUndefined();
      lazy.runWithConfig({ tags: ["b"] }, () => expect(lazy.getRunnableConfig()).toEqual({ tags: ["b"] }));
    });
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it("has one tree, whose members can be changed", () => {
    lazy.runWithConfig({}, () => {
      const tree = getCurrentRunTree();
      const { id } = tree;
      expect(getCurrentRunTree().id).toBe(id);
      tree.metadata = { added: 1 };
      tree.name = "mine";
      expect([tree.metadata, tree.name, Object.assign({}, tree).name]).toEqual([{ added: 1 }, "mine", "mine"]);
      const child = tree.createChild({ name: "child" });
      expect([child.parent_run?.id, child.tracingEnabled, tree.child_runs]).toEqual([id, false, [child]]);
    });
  });

  it("runs traceable functions without tracing them", async () => {
    const twice = traceable((n: number) => n * 2, { name: "twice" });
    expect(await lazy.runWithConfig({}, () => twice(21))).toBe(42);
  });
});

describe("a scope that may be traced", () => {
  const tracesIn = (scope: Scope, config: object): unknown =>
    scope.runWithConfig(config, () => getCurrentRunTree(true)?.constructor.name);

  it.each(["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"])(
    "is left to LangChain where %s is set",
    (variable) => {
      vi.stubEnv(variable, "true");
      const called = vi.spyOn(CallbackManager, "_configureSync");
      lazy.runWithConfig({}, () => undefined);
      expect(called).toHaveBeenCalledOnce();
      called.mockRestore();
    },
  );

  it("is not, where it gets no tree and there is no parent: no variable is read", () => {
    vi.stubEnv("LANGSMITH_TRACING", "true");
    const storeOf = (scope: Scope, config: object | undefined): unknown =>
      apart(() => scope.runWithConfig(config, () => scope.getInstance().getStore(), true));
    for (const config of [undefined, {}, { tags: ["a"] }, { callbacks: [new LangChainTracer()] }])
      expect(storeOf(lazy, config)).toBe(storeOf(original, config));
    const called = vi.spyOn(CallbackManager, "_configureSync");
    storeOf(lazy, {});
    expect(called).not.toHaveBeenCalled();
    called.mockRestore();
  });

  it("is left to LangChain where a manager of callbacks names a parent, with a tree of its own or without", () => {
    const manager = new CallbackManager("0198a1b2-0000-7000-8000-000000000001");
    manager.addHandler(new LangChainTracer());
    const called = vi.spyOn(CallbackManager, "_configureSync");
    for (const withoutTree of [false, true])
      apart(() => lazy.runWithConfig({ callbacks: manager }, () => undefined, withoutTree));
    expect(called).toHaveBeenCalledTimes(2);
    called.mockRestore();
  });

  it.each([
    ["a list of callbacks", (tracer: LangChainTracer) => [tracer]],
    ["a manager of callbacks", (tracer: LangChainTracer) => CallbackManager.configure([tracer])],
  ])("is left to LangChain where %s has a tracer", (_title, callbacksOf) => {
    const config = { callbacks: callbacksOf(new LangChainTracer()) };
    const called = vi.spyOn(CallbackManager, "_configureSync");
    expect(tracesIn(lazy, config)).toBe(tracesIn(original, config));
    expect(called).toHaveBeenCalledTimes(2);
    called.mockRestore();
  });

  it("is left to LangChain inside of a tree that is traced", () => {
    const traced = new RunTree({ name: "traced", tracingEnabled: true });
    const called = vi.spyOn(CallbackManager, "_configureSync");
    for (const withoutTree of [false, true])
      lazy.getInstance().run(traced, () => lazy.runWithConfig({}, () => undefined, withoutTree));
    expect(called).toHaveBeenCalledTimes(2);
    called.mockRestore();
  });
});

describe("a release whose function is another", () => {
  it("keeps its function", () => {
    const runWithConfig = (_config: unknown, callback: () => unknown): unknown => callback();
    const other = { getInstance: () => original.getInstance(), runWithConfig };
    expect(makeTracesLazy({ AsyncLocalStorageProviderSingleton: other })).toBe(false);
    expect(other.runWithConfig).toBe(runWithConfig);
  });
});
