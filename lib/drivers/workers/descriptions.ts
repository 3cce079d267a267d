/** Questions about graphs, which the worker answers. */
import type { Worker } from "../../engine/ports/ports.ts";
import { Fault } from "../../protocol/faults.ts";
import { answersState } from "../../protocol/state-answers.ts";
import type { SourceTypes } from "../../protocol/worker.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-requests.ts";

type SendRequest = (request: WorkerRequest) => Promise<WorkerAnswer>;

/** Reads a graph's types from its sources, in a separate process. */
export type ReadTypes = (graph: string) => Promise<SourceTypes>;

type TypedRequest = Extract<WorkerRequest, { type: "describe"; what: "schemas" | "subgraphs" }>;

/** The most texts of one request, because their vectors must fit into one line. */
const TEXTS_A_REQUEST = 256;

/** `readTypes` returns undefined when the worker reads types itself. */
export function createDescriptions(
  send: SendRequest,
  readTypes: (graph: string) => ReturnType<ReadTypes> | undefined,
): Pick<Worker, "drawing" | "schemas" | "subgraphs" | "threadState" | "embed"> {
  /** Sends a request. Sends it again with types if the worker needs them and may not start a thread to read them. */
  const sendTyped = async (request: TypedRequest): Promise<WorkerAnswer> => {
    const answer = await send(request);
    const types = "wantsTypes" in answer && answer.wantsTypes ? readTypes(request.graph) : undefined;
    return types ? await send({ ...request, types: await types }) : answer;
  };
  return {
    async drawing(graph, xray) {
      const answer = await send({ type: "describe", graph, what: "drawing", xray });
      if ("drawing" in answer) return answer.drawing;
      throw new Fault("unavailable", `Graph "${graph}" could not be drawn`);
    },
    async schemas(graph, typed = "all") {
      const answer = await sendTyped({ type: "describe", graph, what: "schemas", typed });
      if ("schemas" in answer) return answer.schemas;
      throw new Fault("unavailable", `The schemas of graph "${graph}" could not be read`);
    },
    async subgraphs(graph, namespace, recurse) {
      const answer = await sendTyped({ type: "describe", graph, what: "subgraphs", namespace, recurse });
      if ("subgraphs" in answer) return answer.subgraphs;
      throw new Fault("unavailable", `The subgraphs of graph "${graph}" could not be read`);
    },
    async threadState(question) {
      const line = await send({ type: "state", ...question });
      if ("answer" in line && answersState(question, line.answer)) return line.answer;
      throw new Fault("unavailable", "The state of the thread could not be read");
    },
    async embed(by, of, texts) {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += TEXTS_A_REQUEST) {
        const line = await send({ type: "embed", by, of, texts: texts.slice(from, from + TEXTS_A_REQUEST) });
        if (!("vectors" in line)) throw new Fault("unavailable", "The texts could not be embedded");
        for (const vector of line.vectors) vectors.push(vector);
      }
      return vectors;
    },
  };
}
