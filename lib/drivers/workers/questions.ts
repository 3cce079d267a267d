import { Fault } from "../../protocol/faults.ts";
import { BadLine, type WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

const ANSWER_MS = 30_000;

type Without<M, K extends PropertyKey> = M extends { id: number } ? Omit<M, K> : never;
type Asked = Extract<HostMessage, { type: "describe" | "state" | "embed" | "guard" }>;
export type Question = Without<Asked, "id" | "asker">;
export type Answer = Extract<WorkerLine, { type: "described" | "stated" | "embedded" | "guarded" }>;

export function isAnswer(line: WorkerLine): line is Answer {
  return line.type === "described" || line.type === "stated" || line.type === "embedded" || line.type === "guarded";
}

/** What was asked of a worker and not answered yet. */
export interface Questions {
  /**
   * Faults: `unavailable` when no answer comes or a graph cannot be described, `invalid` for what a graph refuses.
   * Throws an `Error` when the application's own authentication failed: why is for the server log.
   */
  ask(question: Question, send: (message: HostMessage) => void): Promise<Answer>;
  /** Whether this is the asker of a question that is open: what it asks back is answered. */
  isAsker(asker: string): boolean;
  /** Throws `BadLine` for an answer of another kind. One that comes too late is not heard. */
  answer(line: Answer): void;
  refuseAll(reason: string): void;
}

interface Open {
  answeredBy: Answer["type"];
  resolve(line: Answer): void;
  refuse(error: Error): void;
}

const ANSWERED_BY = { describe: "described", state: "stated", embed: "embedded", guard: "guarded" } as const;

const askerOf = (id: number): string => `question:${id}`;

export function createQuestions(): Questions {
  const open = new Map<number, Open>();
  let asked = 0;
  return {
    ask: (question, send) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        const giveUp = (): void => refuse(unavailable(`no answer within ${ANSWER_MS / 1000} s`));
        // Where the host was busy itself, the answer may wait to be read.
        const limit = setTimeout(() => setImmediate(giveUp), ANSWER_MS);
        const close = (): void => {
          clearTimeout(limit);
          open.delete(id);
        };
        const refuse = (error: Error): void => {
          close();
          reject(error);
        };
        open.set(id, {
          answeredBy: ANSWERED_BY[question.type],
          refuse,
          resolve(line) {
            close();
            resolve(line);
          },
        });
        send(question.type === "state" ? { ...question, id, asker: askerOf(id) } : { ...question, id });
      }),
    isAsker: (asker) => asker.startsWith("question:") && open.has(Number(asker.slice("question:".length))),
    answer(line) {
      const question = open.get(line.id);
      if (!question) return;
      if (question.answeredBy !== line.type) throw new BadLine(`${line.type}: id: something else was asked`);
      if (!("error" in line)) return question.resolve(line);
      const { error, message } = line.error;
      question.refuse(refusalOf(line.type, error, message));
    },
    refuseAll(reason) {
      for (const question of open.values()) question.refuse(unavailable(reason));
    },
  };
}

function refusalOf(type: Answer["type"], error: string, message: string): Error {
  if (type === "guarded") return new Error(`the application's authentication failed: ${error}: ${message}`);
  if (type === "stated") return new Fault("invalid", `${error}: ${message}`);
  return type === "embedded"
    ? new Fault("unavailable", `The texts could not be embedded: ${message}`)
    : unavailable(message);
}

function unavailable(reason: string): Fault {
  return new Fault("unavailable", `The graph could not answer: ${reason}`);
}
