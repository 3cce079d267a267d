import type { RequestOrigin, HostRequest } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import type { RunError } from "../../protocol/stream.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

export interface HostAnswers {
  isOver: boolean;
  /** Resolves when the changes that were told before the request are stored: the request sees them. */
  settled: Promise<void>;
  /** Answers a request. The graph receives the message of a `Fault` that this throws. */
  answer: (origin: RequestOrigin, request: HostRequest) => Promise<unknown>;
  toError: (thrown: unknown) => RunError;
}

/** Answers a request of a graph to its host, or refuses it if the run is over. Never rejects. */
export async function answerHostRequest(
  { id, run, token, ask }: Extract<WorkerLine, { type: "ask" }>,
  { isOver, settled, answer, toError }: HostAnswers,
): Promise<HostMessage> {
  try {
    if (isOver) throw new Fault("conflict", `Run ${run} is over`);
    await settled;
    return { type: "answer", id, value: (await answer({ run, token }, ask)) ?? null };
  } catch (thrown) {
    return { type: "answer", id, error: toError(thrown) };
  }
}
