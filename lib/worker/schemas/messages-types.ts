/** Recognises LangChain's messages among types, and what a reducer of messages takes. */
import type ts from "typescript";
import type { TypeScript } from "./leaves.ts";

/** Removes the wrapper that bypasses a reducer, because every channel with a reducer takes it. */
export function withoutOverwrite(types: readonly ts.Type[]): ts.Type[] {
  return types.filter((type) => {
    const symbol = type.aliasSymbol ?? type.symbol;
    return !(symbol && /^Overwrite(?:Value)?$/.test(symbol.name) && isDeclaredIn(symbol, "/@langchain/langgraph/"));
  });
}

/**
 * Returns whether the members of a union are all messages (`one`), or some of them lists of messages (`list`), ignoring
 * null. Other forms of a message (text, a pair of role and text, ...) count as a message beside one.
 */
export function messagesOf(
  ts: TypeScript,
  checker: ts.TypeChecker,
  types: readonly ts.Type[],
): "one" | "list" | undefined {
  const members = types.filter((type) => !(type.flags & ts.TypeFlags.Null));
  const one = (type: ts.Type): boolean => isMessage(ts, checker, type);
  const list = (type: ts.Type): boolean => {
    const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    return item !== undefined && messagesOf(ts, checker, item.isUnion() ? item.types : [item]) === "one";
  };
  if (!members.some((type) => one(type) || list(type))) return undefined;
  // This is the union that LangChain calls BaseMessageLike; its name is lost inside of larger ones.
  const loose =
    members.some((type) => type.flags & ts.TypeFlags.String) && members.some((type) => checker.isTupleType(type));
  if (!loose && !members.every((type) => one(type) || list(type))) return undefined;
  return members.some(list) ? "list" : "one";
}

function isMessage(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): boolean {
  const { symbol } = type;
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false;
  if (symbol.name === "BaseMessage" && isDeclaredIn(symbol, "/@langchain/core/")) return true;
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  if (!declared.isClassOrInterface()) return false;
  return checker.getBaseTypes(declared).some((base) => isMessage(ts, checker, base));
}

function isDeclaredIn(symbol: ts.Symbol, folder: string): boolean {
  return symbol.declarations?.some((one) => one.getSourceFile().fileName.includes(folder)) ?? false;
}
