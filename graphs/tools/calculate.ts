import { tool } from "@langchain/core/tools";
import type { MathJsInstance, MathNode } from "mathjs";
import { CalculateInput } from "./contract.ts";
import { loadMath } from "./math.ts";

const FUNCTIONS = new Set(
  (
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil combinations cos cosh cube exp factorial fix floor gcd hypot " +
    "lcm ln log log10 log2 max mean median min mod nthRoot permutations pow prod round sign sin sinh sqrt square std sum " +
    "tan tanh variance"
  ).split(" "),
);

const OPERATORS = new Set(
  (
    "add subtract multiply divide pow mod factorial unaryMinus unaryPlus to equal unequal larger largerEq smaller " +
    "smallerEq"
  ).split(" "),
);

/** The limit of exact integers, and of every intermediate value. Longer ones are not worth reading. */
const LARGEST = 10n ** 200n;
/** The limit of loops. mathjs counts combinations: 100,000 turns take a millisecond, 10^15 would hang the worker. */
const LOOP_LIMIT = 100_000;

/** Replaces signs that people type and mathjs does not read. */
function normalizeExpression(text: string): string {
  return text
    .replace(/×|·|∙/gu, "*")
    .replace(/÷|∶/gu, "/")
    .replace(/[−–]/gu, "-")
    .replace(/\*\*/gu, "^")
    .replace(/²/gu, "^2")
    .replace(/³/gu, "^3")
    .replace(/π/gu, "pi")
    .replace(/√\s*(\d+(?:\.\d+)?)/gu, "sqrt($1)")
    .replace(/√/gu, "sqrt")
    .replace(/°/gu, " deg");
}

/** Allows a closed list of nodes: no assignment, function definition, list or property, so nothing to escape by. */
function refuseUnsafe(math: MathJsInstance, root: MathNode): void {
  root.traverse((node) => {
    if (math.isConstantNode(node) && typeof node.value === "number") return;
    if (math.isSymbolNode(node) || math.isParenthesisNode(node)) return;
    if (math.isOperatorNode(node) && OPERATORS.has(node.fn)) return;
    if (math.isFunctionNode(node) && FUNCTIONS.has(node.fn.name)) return;
    const what = math.isFunctionNode(node) ? `The function ${node.fn.name}` : "That kind of expression";
    throw new Error(`${what} is not allowed here: only numbers, units, operators and the usual functions are.`);
  });
}

/** Limits loops by the values of arguments. It is safe to evaluate them: functions inside were checked before. */
function refuseLongLoops(math: MathJsInstance, node: MathNode): void {
  node.forEach((child) => refuseLongLoops(math, child));
  if (!math.isFunctionNode(node) || !["combinations", "permutations"].includes(node.fn.name)) return;
  const tooLong = node.args.some((argument) => !(Number(argument.evaluate()) <= LOOP_LIMIT));
  if (tooLong) throw new Error(`${node.fn.name} is limited to numbers up to ${LOOP_LIMIT.toLocaleString("en")}.`);
}

/** Computes whole numbers exactly: 2^100 has 31 digits and a double knows 16 of them. Undefined for anything else. */
function exactInteger(math: MathJsInstance, node: MathNode): bigint | undefined {
  const value = exactStep(math, node);
  return value !== undefined && value > -LARGEST && value < LARGEST ? value : undefined;
}

function exactStep(math: MathJsInstance, node: MathNode): bigint | undefined {
  if (math.isParenthesisNode(node)) return exactInteger(math, node.content);
  if (math.isConstantNode(node)) return exactLiteral(math, node.value);
  if (!math.isOperatorNode(node)) return undefined;
  const [a, b] = node.args.map((argument) => exactInteger(math, argument));
  if (a === undefined) return undefined;
  if (node.fn === "unaryMinus") return -a;
  if (node.fn === "factorial") return a >= 0n && a <= 120n ? factorial(a) : undefined;
  if (b === undefined) return undefined;
  if (node.fn === "add") return a + b;
  if (node.fn === "subtract") return a - b;
  if (node.fn === "multiply") return a * b;
  if (node.fn === "divide") return b !== 0n && a % b === 0n ? a / b : undefined;
  if (node.fn === "pow") return b >= 0n && b * BigInt(a.toString(2).length) < 700n ? a ** b : undefined;
  return undefined;
}

function exactLiteral(math: MathJsInstance, value: unknown): bigint | undefined {
  return math.isBigNumber(value) && value.isInteger() && value.e < 200 ? BigInt(value.toFixed()) : undefined;
}

function factorial(n: bigint): bigint {
  return n <= 1n ? 1n : n * factorial(n - 1n);
}

/** Returns the value of an expression as text. Throws an Error whose message may be shown to the user. */
export function evaluateExpression(expression: string): string {
  const { math, parseDecimals } = loadMath();
  const normalized = normalizeExpression(expression);
  const root = math.parse(normalized);
  refuseUnsafe(math, root);
  refuseLongLoops(math, root);
  const exact = exactInteger(math, parseDecimals(normalized));
  if (exact !== undefined) return exact.toString();
  const value: unknown = root.evaluate();
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(notFinite(value));
  if (typeof value !== "number" && !math.isComplex(value) && !math.isUnit(value)) {
    throw new Error("That has no value that is a number.");
  }
  // 14 digits hide the last bit of a double: 0.1 + 0.2 is 0.3 to a reader.
  return math.format(value, { precision: 14, lowerExp: -9, upperExp: 21 });
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return "The result is not defined.";
  return "The result is infinite: that is a division by zero, or a number too large for me.";
}

export const calculate = tool(({ expression }) => ({ expression, result: evaluateExpression(expression) }), {
  name: "calculate",
  description:
    "Evaluates arithmetic exactly: operators, percentages, roots, logarithms, trigonometry, statistics, units.",
  schema: CalculateInput,
});
