/**
 * Spares the tree of a trace that nobody records. LangChain core makes one for every step of a graph, also where tracing is
 * off: 18 % of a short run. Here it is made when somebody reads it.
 */
import { createHash } from "node:crypto";
import type { AsyncLocalStorage } from "node:async_hooks";
import { env } from "node:process";

/** The part of `@langchain/core/singletons` that runs code with the configuration of its step. */
interface Singletons {
  AsyncLocalStorageProviderSingleton: ConfigScope;
}

interface ConfigScope {
  getInstance(): Pick<AsyncLocalStorage<unknown>, "getStore" | "run">;
  runWithConfig(config: StepConfig | undefined, callback: () => unknown, withoutTree?: boolean): unknown;
}

interface StepConfig {
  callbacks?: { handlers?: readonly Handler[] } | readonly Handler[];
}

interface Handler {
  name?: string;
}

/** What LangChain keeps in its asynchronous context: a tree, or only the variables of the context. */
interface Scope {
  name?: string;
  tracingEnabled?: boolean;
  extra?: object;
  [VARIABLES]?: Readonly<Record<symbol, unknown>>;
}

const CONFIG = Symbol.for("lc:child_config");
const VARIABLES = Symbol.for("lc:context_variables");
/** Handlers that an application has registered for a variable of the context, or for one of the environment. */
const HOOKS = Symbol.for("lc:configure_hooks");

/** Any of these variables turns tracing on. */
const TRACING = ["LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING"];

/** The hash of the function that is replaced, without its spaces: the same in all releases of core from 1.0.0 to 1.4.0. */
const CHECKED = "52365b17c08745fb4914577ac9e3b7f2067f152b7d856c3b4bf466eb19ffdf5c";

/** Makes trees lazy in one copy of LangChain core. Returns false for a release whose function was not checked. */
export function makeTracesLazy({ AsyncLocalStorageProviderSingleton: scope }: Singletons): boolean {
  const { runWithConfig } = scope;
  if (fingerprint(runWithConfig) !== CHECKED) return false;
  const treeClass = treeClassOf(scope);
  if (!treeClass) return false;
  scope.runWithConfig = function runLazily(config, callback, withoutTree) {
    const storage = this.getInstance();
    const before = storage.getStore() as Scope | undefined;
    if (mayBeTraced(config, before, withoutTree)) return runWithConfig.call(this, config, callback, withoutTree);
    const variables = before?.[VARIABLES];
    let now: Scope | undefined = withoutTree ? undefined : lazyTree(treeClass, config);
    if (variables !== undefined) {
      now ??= {};
      now[VARIABLES] = variables;
    }
    return storage.run(now, callback);
  };
  return true;
}

function fingerprint(code: ConfigScope["runWithConfig"]): string {
  return createHash("sha256").update(String(code).replaceAll(/\s+/g, "")).digest("hex");
}

/** The class `RunTree` of `langsmith`. */
type TreeClass = new (config: { name: string; tracingEnabled: boolean }) => object;

/** Returns the class of the trees that core makes, from the package that core itself has loaded. */
function treeClassOf(scope: ConfigScope): TreeClass | undefined {
  const tree = scope.runWithConfig(undefined, () => scope.getInstance().getStore());
  return tree instanceof Object && "createChild" in tree ? (tree.constructor as TreeClass) : undefined;
}

function mayBeTraced(config: StepConfig | undefined, before: Scope | undefined, withoutTree = false): boolean {
  const callbacks = config?.callbacks;
  const manager = callbacks && "handlers" in callbacks ? callbacks : undefined;
  // Only a manager names a parent. A scope outside of all others that gets no tree of its own has none, then.
  if (withoutTree && before === undefined && !manager) return false;
  if (before?.tracingEnabled === true || before?.[VARIABLES]?.[HOOKS] !== undefined) return true;
  // Inside of a tree that is not traced, the environment changes nothing.
  if (before?.tracingEnabled === undefined && TRACING.some((name) => env[name] !== undefined)) return true;
  const handlers = manager ? manager.handlers : (callbacks as readonly Handler[] | undefined);
  return handlers?.some((handler) => handler?.name === "langchain_tracer") ?? false;
}

const NAME = "<runnable_lambda>";

/** Returns an object that becomes the tree when anything is read or listed that only the tree has. */
function lazyTree(treeClass: TreeClass, config: StepConfig | undefined): Scope {
  const start = Object.create(treeClass.prototype as object) as Scope;
  start.name = NAME;
  start.tracingEnabled = false;
  start.extra = { metadata: {}, [CONFIG]: config };
  return new Proxy(start, new LazyTree(treeClass));
}

class LazyTree implements ProxyHandler<Scope> {
  readonly #class: TreeClass;
  #isMade = false;

  constructor(treeClass: TreeClass) {
    this.#class = treeClass;
  }

  get(target: Scope, key: PropertyKey, receiver: unknown): unknown {
    // Symbols name what LangChain adds to a tree, and no tree has them from the beginning.
    if (typeof key === "string" && !(key in target)) this.#make(target);
    return Reflect.get(target, key, receiver);
  }

  set(target: Scope, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(target, key, value);
  }

  has(target: Scope, key: PropertyKey): boolean {
    return key in target || key in this.#make(target);
  }

  ownKeys(target: Scope): (string | symbol)[] {
    return Reflect.ownKeys(this.#make(target));
  }

  getOwnPropertyDescriptor(target: Scope, key: PropertyKey): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#make(target), key);
  }

  /** Gives the target the members of a tree, except for those that it has. */
  #make(target: Scope): Scope {
    if (this.#isMade) return target;
    this.#isMade = true;
    const tree = new this.#class({ name: NAME, tracingEnabled: false });
    for (const key of Reflect.ownKeys(tree)) {
      const member = Reflect.getOwnPropertyDescriptor(tree, key);
      if (member && !Object.hasOwn(target, key)) Object.defineProperty(target, key, member);
    }
    return target;
  }
}
