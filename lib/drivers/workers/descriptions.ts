/** Requests about graphs, which the worker answers. */
import type { GraphDrawing, GraphSchemas, Subgraphs } from "../../protocol/assistants.ts";
import { Fault } from "../../protocol/faults.ts";
import { answersState } from "../../protocol/state-answers.ts";
import type { SourceTypes, StateQuestion, TypedGraphs } from "../../protocol/worker.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-requests.ts";

type SendRequest = (request: WorkerRequest) => Promise<WorkerAnswer>;

/** Reads a graph's types from its sources, in a separate process. */
export type ReadTypes = (graph: string) => Promise<SourceTypes>;

export async function readDrawing(send: SendRequest, graph: string, xray: boolean | number): Promise<GraphDrawing> {
  const answer = await send({ type: "describe", graph, what: "drawing", xray });
  if ("drawing" in answer) return answer.drawing;
  throw new Fault("unavailable", `Graph "${graph}" could not be drawn`);
}

type TypedRequest = Extract<WorkerRequest, { type: "describe"; what: "schemas" | "subgraphs" }>;

/** Sends a request. Sends it again with types if the worker needs them and may not start a thread to read them. */
async function sendTyped(
  send: SendRequest,
  request: TypedRequest,
  readTypes: ReadTypes | undefined,
): Promise<WorkerAnswer> {
  const answer = await send(request);
  if (!("wantsTypes" in answer) || !answer.wantsTypes || !readTypes) return answer;
  return await send({ ...request, types: await readTypes(request.graph) });
}

export async function readSchemas(
  send: SendRequest,
  graph: string,
  { typed, readTypes }: { typed: TypedGraphs; readTypes: ReadTypes | undefined },
): Promise<GraphSchemas> {
  const answer = await sendTyped(send, { type: "describe", graph, what: "schemas", typed }, readTypes);
  if ("schemas" in answer) return answer.schemas;
  throw new Fault("unavailable", `The schemas of graph "${graph}" could not be read`);
}

export async function readSubgraphs(
  send: SendRequest,
  graph: string,
  {
    namespace,
    recurse,
    readTypes,
  }: { namespace: string | undefined; recurse: boolean; readTypes: ReadTypes | undefined },
): Promise<Subgraphs> {
  const answer = await sendTyped(send, { type: "describe", graph, what: "subgraphs", namespace, recurse }, readTypes);
  if ("subgraphs" in answer) return answer.subgraphs;
  throw new Fault("unavailable", `The subgraphs of graph "${graph}" could not be read`);
}

export async function readState(send: SendRequest, question: StateQuestion): Promise<unknown> {
  const line = await send({ type: "state", ...question });
  if ("answer" in line && answersState(question, line.answer)) return line.answer;
  throw new Fault("unavailable", "The state of the thread could not be read");
}

/** The most texts of one request, because their vectors must fit into one line. */
const TEXTS_A_REQUEST = 256;

export async function embedTexts(
  send: SendRequest,
  { texts, ...question }: { by: string; of: "items" | "query"; texts: readonly string[] },
): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += TEXTS_A_REQUEST) {
    const line = await send({ type: "embed", ...question, texts: texts.slice(from, from + TEXTS_A_REQUEST) });
    if (!("vectors" in line)) throw new Fault("unavailable", "The texts could not be embedded");
    for (const vector of line.vectors) vectors.push(vector);
  }
  return vectors;
}
