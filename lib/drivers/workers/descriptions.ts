/** What a worker tells of its graphs when it is asked. */
import type { GraphDrawing, GraphSchemas, Subgraphs } from "../../protocol/assistants.ts";
import { Fault } from "../../protocol/faults.ts";
import { answersState } from "../../protocol/state-answers.ts";
import type { SourceTypes, StateQuestion } from "../../protocol/worker.ts";
import type { Answer, Question } from "./questions.ts";

type Ask = (question: Question) => Promise<Answer>;

/** What the sources say of a graph's types, read by a process of its own. */
export type ReadTypes = (graph: string) => Promise<SourceTypes>;

export async function askDrawing(ask: Ask, graph: string, xray: boolean | number): Promise<GraphDrawing> {
  const answer = await ask({ type: "describe", graph, what: "drawing", xray });
  if ("drawing" in answer) return answer.drawing;
  throw new Fault("unavailable", `Graph "${graph}" could not be drawn`);
}

type TypedQuestion = Extract<Question, { type: "describe"; what: "schemas" | "subgraphs" }>;

/** A worker that may start no thread wants the types from here, where the graph itself says too little. */
async function askTyped(ask: Ask, question: TypedQuestion, readTypes: ReadTypes | undefined): Promise<Answer> {
  const answer = await ask(question);
  if (!("wantsTypes" in answer) || !answer.wantsTypes || !readTypes) return answer;
  return await ask({ ...question, types: await readTypes(question.graph) });
}

export async function askSchemas(
  ask: Ask,
  graph: string,
  { quick, readTypes }: { quick: boolean; readTypes: ReadTypes | undefined },
): Promise<GraphSchemas> {
  const answer = await askTyped(ask, { type: "describe", graph, what: "schemas", quick }, readTypes);
  if ("schemas" in answer) return answer.schemas;
  throw new Fault("unavailable", `The schemas of graph "${graph}" could not be read`);
}

export async function askSubgraphs(
  ask: Ask,
  graph: string,
  {
    namespace,
    recurse,
    readTypes,
  }: { namespace: string | undefined; recurse: boolean; readTypes: ReadTypes | undefined },
): Promise<Subgraphs> {
  const answer = await askTyped(ask, { type: "describe", graph, what: "subgraphs", namespace, recurse }, readTypes);
  if ("subgraphs" in answer) return answer.subgraphs;
  throw new Fault("unavailable", `The subgraphs of graph "${graph}" could not be read`);
}

export async function askState(ask: Ask, question: StateQuestion): Promise<unknown> {
  const line = await ask({ type: "state", ...question });
  if ("answer" in line && answersState(question, line.answer)) return line.answer;
  throw new Fault("unavailable", "The state of the thread could not be read");
}

/** Texts of one question: their vectors have to fit into one line. */
const TEXTS = 256;

export async function askVectors(
  ask: Ask,
  { texts, ...question }: { by: string; of: "items" | "query"; texts: readonly string[] },
): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += TEXTS) {
    const line = await ask({ type: "embed", ...question, texts: texts.slice(from, from + TEXTS) });
    if (!("vectors" in line)) throw new Fault("unavailable", "The texts could not be embedded");
    for (const vector of line.vectors) vectors.push(vector);
  }
  return vectors;
}
