// Recognises what a person wants from the words alone. Pure and total: the same text always gives the same answer.
import type { ToolCall } from "../tools/contract.ts";
import { toExpression } from "./arithmetic.ts";
import { toConversion } from "./conversion.ts";
import { toMoment } from "./moment.ts";
import { type SmallTalk, toSmallTalk, withoutGreeting } from "./small-talk.ts";
import { startsQuestion, toTopic } from "./topic.ts";

/** The last tool call, and the number that it returned, if it did. */
export type Memory = { call?: ToolCall; value?: string };

export type Intent = { calls: ToolCall[]; smallTalk?: SmallTalk };

type Tool = ToolCall["name"];

const LONGEST_TEXT = 2000;
const LONGEST_CLAUSE = 300;
const MOST_CALLS = 8;

/** Returns the tool calls that answer `text`, in its order. Without any, returns the small talk that it is, if any. */
export function recognise(text: string, tools: ReadonlySet<string>, memory: Memory = {}): Intent {
  const clauses = toClauses(text.slice(0, LONGEST_TEXT));
  const calls: ToolCall[] = [];
  for (const clause of clauses) {
    if (toSmallTalk(clause)) continue;
    const known = calls.length > 0 ? { call: calls.at(-1) } : memory;
    calls.push(...callsFor(withoutGreeting(clause), { has: (tool) => tools.has(tool) }, known));
  }
  if (calls.length > 0) return { calls: calls.slice(0, MOST_CALLS) };
  const smallTalk = clauses.map(toSmallTalk).find((talk) => talk !== undefined);
  return { calls, ...(smallTalk ? { smallTalk } : {}) };
}

type AvailableTools = { has: (tool: Tool) => boolean };

/** Splits a text into sentences. A "!" right behind a digit is a factorial. */
function toClauses(text: string): string[] {
  return text
    .replace(/[’‘]/gu, "'")
    .split(/[?;\n]+|(?<!\d)!+|\.+(?=\s|$)/u)
    .map((clause) => clause.trim().replace(/\s+/gu, " ").slice(0, LONGEST_CLAUSE))
    .filter((clause) => clause !== "");
}

/** Reads a clause as one request, several joined by "and" or a comma, or one long question for the documentation. */
function callsFor(clause: string, tools: AvailableTools, memory: Memory): ToolCall[] {
  const whole = exactCall(clause, tools, memory);
  if (whole) return [whole];
  const calls: ToolCall[] = [];
  for (const piece of toPieces(clause, tools, memory)) {
    const call =
      exactCall(piece, tools, calls.length > 0 ? { call: calls.at(-1) } : memory) ?? searchCall(piece, tools);
    if (call) calls.push(call);
  }
  return calls;
}

/** Cuts at "and" and commas. A piece without a meaning of its own joins the question before it, or is dropped. */
function toPieces(clause: string, tools: AvailableTools, memory: Memory): string[] {
  const pieces: { text: string; exact: boolean }[] = [];
  let known = memory;
  let from = 0;
  for (const { index, end } of cuts(clause)) {
    const text = clause.slice(from, index);
    const call = exactCall(text, tools, known);
    const last = pieces.at(-1);
    if (call) known = { call };
    if (call || !last || startsQuestion(text)) pieces.push({ text, exact: Boolean(call) });
    else if (!last.exact) last.text = clause.slice(clause.indexOf(last.text), index);
    from = end;
  }
  return pieces.map(({ text }) => text);
}

function cuts(clause: string): { index: number; end: number }[] {
  const joints = /,?\s+(?:and|then|also|as well as)\s+(?:then\s+|also\s+)?|,\s+/giu;
  const found = [...clause.matchAll(joints)].map(({ 0: joint, index }) => ({ index, end: index + joint.length }));
  return [...found, { index: clause.length, end: clause.length }];
}

/** Returns a call of one of the three tools whose questions have a form of their own. */
function exactCall(clause: string, tools: AvailableTools, { call: last, value }: Memory): ToolCall | undefined {
  const conversion =
    tools.has("convert_units") && toConversion(clause, last?.name === "convert_units" ? last.args : undefined);
  if (conversion) return { name: "convert_units", args: conversion };
  const moment = tools.has("current_time") && toMoment(clause, last?.name === "current_time" ? last.args : undefined);
  if (moment) return { name: "current_time", args: moment };
  const expression = tools.has("calculate") && toExpression(clause, value);
  if (expression) return { name: "calculate", args: { expression } };
  return undefined;
}

function searchCall(clause: string, tools: AvailableTools): ToolCall | undefined {
  const query = tools.has("search_docs") && toTopic(clause);
  return query ? { name: "search_docs", args: { query } } : undefined;
}
