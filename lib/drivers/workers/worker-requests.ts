import { Fault } from "../../protocol/faults.ts";
import { BadLine } from "../../protocol/line-checks.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

const ANSWER_MS = 30_000;

type Without<M, K extends PropertyKey> = M extends { id: number } ? Omit<M, K> : never;
type RequestMessage = Extract<HostMessage, { type: "describe" | "state" | "embed" | "guard" }>;
export type WorkerRequest = Without<RequestMessage, "id" | "requester">;
export type WorkerAnswer = Extract<WorkerLine, { type: "described" | "stated" | "embedded" | "guarded" }>;

export function isWorkerAnswer(line: WorkerLine): line is WorkerAnswer {
  return line.type === "described" || line.type === "stated" || line.type === "embedded" || line.type === "guarded";
}

/** Requests of the host to a worker that are not answered yet. */
export interface WorkerRequests {
  /**
   * Faults: `unavailable` if no answer comes or a graph cannot be described, `invalid` if a graph refuses the request.
   * Throws an `Error` if the application's authentication failed, because only the server log may show why.
   */
  send(request: WorkerRequest, send: (message: HostMessage) => void): Promise<WorkerAnswer>;
  /** Returns whether a pending request has this name. The graph that answers it may send requests of its own. */
  isRequester(run: string): boolean;
  /** Resolves a request. Throws `BadLine` for an answer of another kind. A late answer is ignored. */
  answer(line: WorkerAnswer): void;
  rejectAll(reason: string): void;
}

interface PendingRequest {
  answeredBy: WorkerAnswer["type"];
  resolve(line: WorkerAnswer): void;
  reject(error: Error): void;
}

const ANSWERED_BY = { describe: "described", state: "stated", embed: "embedded", guard: "guarded" } as const;

const requesterOf = (id: number): string => `question:${id}`;

export function createWorkerRequests(): WorkerRequests {
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  return {
    send: (request, send) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        const giveUp = (): void => fail(unavailable(`no answer within ${ANSWER_MS / 1000} s`));
        // If the host was busy itself, the answer may not have been read yet.
        const limit = setTimeout(() => setImmediate(giveUp), ANSWER_MS);
        const close = (): void => {
          clearTimeout(limit);
          pending.delete(id);
        };
        const fail = (error: Error): void => {
          close();
          reject(error);
        };
        pending.set(id, {
          answeredBy: ANSWERED_BY[request.type],
          reject: fail,
          resolve(line) {
            close();
            resolve(line);
          },
        });
        send(request.type === "state" ? { ...request, id, requester: requesterOf(id) } : { ...request, id });
      }),
    isRequester: (run) => run.startsWith("question:") && pending.has(Number(run.slice("question:".length))),
    answer(line) {
      const request = pending.get(line.id);
      if (!request) return;
      if (request.answeredBy !== line.type) throw new BadLine(`${line.type}: id: this answers another kind of request`);
      if (!("error" in line)) return request.resolve(line);
      const { error, message } = line.error;
      request.reject(errorOf(line.type, error, message));
    },
    rejectAll(reason) {
      for (const request of pending.values()) request.reject(unavailable(reason));
    },
  };
}

function errorOf(type: WorkerAnswer["type"], error: string, message: string): Error {
  if (type === "guarded") return new Error(`the application's authentication failed: ${error}: ${message}`);
  if (type === "stated") return new Fault("invalid", `${error}: ${message}`);
  return type === "embedded"
    ? new Fault("unavailable", `The texts could not be embedded: ${message}`)
    : unavailable(message);
}

function unavailable(reason: string): Fault {
  return new Fault("unavailable", `The graph could not answer: ${reason}`);
}
