/** Reads the types of a graph out of the application's sources, without running them. */
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import type ts from "typescript";
import type { JsonObject } from "../../protocol/json.ts";
import type { SourceTypes } from "../../protocol/worker.ts";
import type { TypeScript } from "./leaves.ts";
import { nodesOf } from "./nodes.ts";
import { schemaOfType } from "./type-schema.ts";
import { tsConfigFor } from "../modules/tsconfig.ts";

/** The folders of the application's LangGraph and then of this project's, for applications that bring none. */
export type PackageFolders = readonly string[];

export type TypeReader = (file: string, exportName: string) => SourceTypes;

/** Loads TypeScript. It takes 220 ms, so only the thread or process that reads types does so. */
function loadTypeScript(): TypeScript {
  const require: (id: string) => TypeScript = createRequire(import.meta.url);
  return require("typescript");
}

/** Creates a reader that keeps sources and resolutions, so that the second graph costs a fraction of the first. */
export function createTypeReader(folders: PackageFolders): TypeReader {
  const ts = loadTypeScript();
  const options: ts.CompilerOptions = {
    allowJs: true,
    allowImportingTsExtensions: true,
    jsx: ts.JsxEmit.Preserve,
    // Only the language's own global types are read. Those of Node and of browsers are large, and no state has them.
    lib: ["lib.es2023.d.ts"],
    maxNodeModuleJsDepth: 0,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    types: [],
  };
  const host = createHost(ts, options, folders);
  let last: ts.Program | undefined;
  return (file, exportName) => {
    const program = ts.createProgram({ rootNames: [file], options, host, oldProgram: last });
    last = program;
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module && checker.getExportsOfModule(module).find((one) => one.name === exportName);
    const graph = exported && graphTypeOf(checker, checker.getTypeOfSymbol(exported));
    return graph ? { ...schemasOf(ts, checker, graph), inside: schemasInside(ts, checker, exported) } : {};
  };
}

const DEEPEST = 4;

/** Returns the graph that an export stands for: itself, or what it promises, returns, compiles to or wraps. */
function graphTypeOf(checker: ts.TypeChecker, type: ts.Type, depth = 0): ts.Type | undefined {
  if (depth > DEEPEST) return undefined;
  const value = checker.getAwaitedType(type) ?? type;
  if (value.isUnion()) return firstOf(value.types, (member) => graphTypeOf(checker, member, depth + 1));
  if (checker.getPropertyOfType(value, "~InputType")) return value;
  const inner = checker.getPropertyOfType(value, "graph");
  const wrapped = inner && graphTypeOf(checker, checker.getTypeOfSymbol(inner), depth + 1);
  if (wrapped) return wrapped;
  const compile = checker.getPropertyOfType(value, "compile");
  const made = compile ? checker.getTypeOfSymbol(compile) : value;
  return firstOf(made.getCallSignatures(), (call) => graphTypeOf(checker, call.getReturnType(), depth + 1));
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = read(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads the members that LangGraph declares only for their types. */
function schemasOf(ts: TypeScript, checker: ts.TypeChecker, graph: ts.Type): SourceTypes {
  const read = (type: ts.Type, name: string): ts.Type | undefined => {
    const member = checker.getPropertyOfType(type, name);
    return member && checker.getTypeOfSymbol(member);
  };
  const schema = (type: ts.Type | undefined): JsonObject | undefined =>
    type && schemaOfType(ts, checker, checker.getAwaitedType(type) ?? type);
  const invoke = read(graph, "invoke")?.getCallSignatures()[0]?.getParameters()[1];
  const options = invoke && checker.getNonNullableType(checker.getTypeOfSymbol(invoke));
  const context = options && read(options, "context");
  return {
    input: schema(read(graph, "~InputType")),
    output: schema(read(graph, "~OutputType")),
    state: schema(read(graph, "~RunOutput")),
    context: schema(context && checker.getNonNullableType(context)),
  };
}

/** Returns the schemas of the graphs inside of a graph, by namespace: `child|inner`. */
function schemasInside(ts: TypeScript, checker: ts.TypeChecker, graph: ts.Symbol): Record<string, SourceTypes> {
  const found = new Map<string, SourceTypes>();
  const visit = (outer: ts.Symbol | ts.Expression, above: readonly string[]): void => {
    for (const [name, value] of above.length < DEEPEST ? nodesOf(ts, checker, outer) : []) {
      const type = graphTypeOf(checker, checker.getTypeAtLocation(value));
      const path = [...above, name];
      if (!type || found.has(path.join("|"))) continue;
      found.set(path.join("|"), schemasOf(ts, checker, type));
      visit(value, path);
    }
  };
  visit(graph, []);
  return Object.fromEntries(found);
}

/** The packages with which a graph's state is written. They are followed wherever they are imported. */
const STATE_PACKAGES = /^(?:@langchain\/|langchain(?:\/|$)|zod(?:\/|$)|@standard-schema\/)/;
const INSTALLED = "/node_modules/";

function createHost(ts: TypeScript, options: ts.CompilerOptions, folders: PackageFolders): ts.CompilerHost {
  const known = new Map<string, ts.SourceFile>();
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile(path, language) {
      const text = known.has(path) && path.includes(INSTALLED) ? undefined : ts.sys.readFile(path);
      const before = known.get(path);
      if (before && (text === undefined || before.text === text)) return before;
      if (text === undefined) return undefined;
      const parsing = path.includes(INSTALLED) ? ts.JSDocParsingMode.ParseNone : ts.JSDocParsingMode.ParseAll;
      const source = ts.createSourceFile(
        path,
        text,
        { ...(typeof language === "object" ? language : { languageVersion: language }), jsDocParsingMode: parsing },
        !path.includes(INSTALLED),
      );
      known.set(path, source);
      return source;
    },
    resolveModuleNameLiterals: (literals, parent) =>
      literals.map((literal) => ({
        resolvedModule: isDynamic(ts, literal) ? undefined : resolve(literal.text, parent),
      })),
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
  const cache = ts.createModuleResolutionCache("/", (name) => name, options);
  const find = (name: string, parent: string): ts.ResolvedModuleFull | undefined =>
    ts.resolveModuleName(name, parent, options, host, cache).resolvedModule;
  const resolve = (name: string, parent: string): ts.ResolvedModuleFull | undefined => {
    if (isBuiltin(name)) return undefined;
    if (/^[./#]/.test(name)) return find(name, parent);
    const owner = packageOf(parent);
    // Models and tracers import the large types of their vendors, of which no state is made.
    if (owner !== undefined && STATE_PACKAGES.test(owner) && !STATE_PACKAGES.test(name)) return undefined;
    if (owner === undefined) {
      const mapped = firstOf(tsConfigFor(dirname(parent)).mapped(name), (path) => find(path, parent));
      if (mapped) return mapped;
    }
    const found = find(name, parent);
    if (found || !STATE_PACKAGES.test(name)) return found;
    return firstOf(folders, (folder) => find(name, `${folder}/application.ts`));
  };
  return host;
}

/** Returns whether a module is imported while the code runs: its type is then a promise, and is not followed. */
function isDynamic(ts: TypeScript, literal: ts.StringLiteralLike): boolean {
  return ts.isCallExpression(literal.parent);
}

/** Returns the path of an installed file, which begins with the name of its package. */
function packageOf(path: string): string | undefined {
  const start = path.lastIndexOf(INSTALLED);
  return start < 0 ? undefined : path.slice(start + INSTALLED.length);
}
