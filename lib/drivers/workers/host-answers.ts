import type { RequestOrigin, HostRequest } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { toHostError } from "./refusals.ts";

export interface HostAnswers {
  /** What it throws is told to the graph. */
  answer: (origin: RequestOrigin, ask: HostRequest) => Promise<unknown>;
  /** Gets what the graph is not told. */
  print: (text: string) => void;
}

/** What a graph is told that asks its host; refused once its run is over. Never rejects. */
export async function answerHostRequest(
  { id, run, token, ask }: Extract<WorkerLine, { type: "ask" }>,
  isOver: boolean,
  { answer, print }: HostAnswers,
): Promise<HostMessage> {
  try {
    if (isOver) throw new Fault("conflict", `Run ${run} is over`);
    return { type: "answer", id, value: (await answer({ run, token }, ask)) ?? null };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) print(`a question of run ${run} failed: ${String(thrown)}`);
    return { type: "answer", id, error: toHostError(thrown) };
  }
}
