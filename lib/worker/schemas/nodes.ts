/**
 * Finds the values in the sources that are the nodes of a graph. A graph's type names its nodes but does not say what
 * they are: that is in the calls of its builder.
 */
import type ts from "typescript";
import type { TypeScript } from "./leaves.ts";

/** The calls that add nodes. They take a name, or several names in an object or a list. */
const ADDS = new Set(["addNode", "addSequence"]);
/** The limit of the symbols and nodes that are visited for one graph. */
const STEPS = 100;

/** Returns names and values of the nodes of the graph that an expression or an export stands for. */
export function nodesOf(
  ts: TypeScript,
  checker: ts.TypeChecker,
  graph: ts.Node | ts.Symbol,
): [string, ts.Expression][] {
  const found: [string, ts.Expression][] = [];
  const seen = new Set<ts.Node | ts.Symbol>();

  const visitSymbol = (symbol: ts.Symbol | undefined): void => {
    if (!symbol || seen.has(symbol)) return;
    seen.add(symbol);
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = meant.valueDeclaration ?? meant.declarations?.[0];
    if (!declaration || seen.size > STEPS) return;
    visit(valueOf(ts, declaration));
    if (ts.isVariableDeclaration(declaration)) visitStatements(declaration.getSourceFile(), meant);
  };
  /** Visits each `builder.addNode(…)` that is a statement of its own. */
  const visitStatements = (source: ts.SourceFile, builder: ts.Symbol): void => {
    const search = (node: ts.Node): void => {
      if (ts.isExpressionStatement(node) && checker.getSymbolAtLocation(rootOf(ts, node.expression)) === builder)
        visit(node.expression);
      else ts.forEachChild(node, search);
    };
    search(source);
  };
  const visit = (node: ts.Node | undefined): void => {
    if (!node || seen.has(node) || seen.size > STEPS) return;
    seen.add(node);
    if (ts.isIdentifier(node)) visitSymbol(checker.getSymbolAtLocation(node));
    else if (ts.isFunctionLike(node)) for (const value of returnedBy(ts, node)) visit(value);
    else if (ts.isCallExpression(node)) {
      const { expression: callee } = node;
      if (!ts.isPropertyAccessExpression(callee)) return visit(callee);
      visit(callee.expression);
      if (ADDS.has(callee.name.text)) found.push(...addedBy(ts, node));
    } else visit(unwrapped(ts, node));
  };

  if ("kind" in graph) visit(graph);
  else visitSymbol(graph);
  return found;
}

function valueOf(ts: TypeScript, declaration: ts.Declaration): ts.Node | undefined {
  if (ts.isVariableDeclaration(declaration)) return declaration.initializer;
  return ts.isExportAssignment(declaration) ? declaration.expression : declaration;
}

/** Returns the expression inside of parentheses, of an `await`, or of one that gives it another type. */
function unwrapped(ts: TypeScript, node: ts.Node): ts.Node | undefined {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapper ? node.expression : undefined;
}

/** Returns the beginning of a chain of calls. */
function rootOf(ts: TypeScript, node: ts.Node): ts.Node {
  let root = node;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  return root;
}

function returnedBy(ts: TypeScript, made: ts.SignatureDeclaration): ts.Node[] {
  if (!("body" in made) || !made.body) return [];
  if (!ts.isBlock(made.body)) return [made.body];
  const values: ts.Node[] = [];
  const search = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) values.push(node.expression);
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, search);
  };
  ts.forEachChild(made.body, search);
  return values;
}

function addedBy(
  ts: TypeScript,
  { arguments: [first, second, options] }: ts.CallExpression,
): [string, ts.Expression][] {
  if (!first) return [];
  if (ts.isStringLiteralLike(first)) return second ? [[first.text, innerOf(ts, options) ?? second]] : [];
  if (ts.isObjectLiteralExpression(first)) {
    return first.properties.flatMap((one): [string, ts.Expression][] => {
      if (ts.isPropertyAssignment(one) && !ts.isComputedPropertyName(one.name))
        return [[one.name.text, one.initializer]];
      return ts.isShorthandPropertyAssignment(one) ? [[one.name.text, one.name]] : [];
    });
  }
  if (!ts.isArrayLiteralExpression(first)) return [];
  return first.elements.flatMap((one): [string, ts.Expression][] => {
    const [name, value] = ts.isArrayLiteralExpression(one) ? one.elements : [];
    return name && value && ts.isStringLiteralLike(name) ? [[name.text, value]] : [];
  });
}

/** Returns the graph that a function declares to call: `addNode(name, call, { subgraphs: [graph] })`. */
function innerOf(ts: TypeScript, options: ts.Expression | undefined): ts.Expression | undefined {
  if (!options || !ts.isObjectLiteralExpression(options)) return undefined;
  for (const one of options.properties) {
    if (!ts.isPropertyAssignment(one) || one.name.getText() !== "subgraphs") continue;
    return ts.isArrayLiteralExpression(one.initializer) ? one.initializer.elements[0] : undefined;
  }
  return undefined;
}
