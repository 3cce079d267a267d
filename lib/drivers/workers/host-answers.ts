import type { RequestOrigin, HostRequest } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { toHostError } from "./refusals.ts";

export interface HostAnswers {
  /** Answers a request. The graph receives the message of a `Fault` that this throws. */
  answer: (origin: RequestOrigin, request: HostRequest) => Promise<unknown>;
  /** Receives errors that are not disclosed to the graph, for the server log. */
  print: (text: string) => void;
}

/** Answers a request of a graph to its host, or refuses it if the run is over. Never rejects. */
export async function answerHostRequest(
  { id, run, token, ask }: Extract<WorkerLine, { type: "ask" }>,
  isOver: boolean,
  { answer, print }: HostAnswers,
): Promise<HostMessage> {
  try {
    if (isOver) throw new Fault("conflict", `Run ${run} is over`);
    return { type: "answer", id, value: (await answer({ run, token }, ask)) ?? null };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) print(`a request of run ${run} failed: ${String(thrown)}`);
    return { type: "answer", id, error: toHostError(thrown) };
  }
}
