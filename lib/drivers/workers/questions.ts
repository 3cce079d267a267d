import { Fault } from "../../protocol/faults.ts";
import type { HostMessage, WorkerLine } from "../../protocol/worker.ts";

const ANSWER_MS = 30_000;

type WithoutId<M> = M extends { id: number } ? Omit<M, "id"> : never;
export type Question = WithoutId<Extract<HostMessage, { type: "describe" }>>;
export type Answer = Extract<WorkerLine, { type: "described" }>;

/** What was asked of a worker and not answered yet. */
export interface Questions {
  /** Faults: `unavailable` when no answer comes, or the worker says it cannot. */
  ask(question: Question, send: (message: HostMessage) => void): Promise<Answer>;
  answer(line: Answer): void;
  refuseAll(reason: string): void;
}

export function createQuestions(): Questions {
  const open = new Map<number, { resolve: (line: Answer) => void; refuse: (reason: string) => void }>();
  let asked = 0;
  return {
    ask: (question, send) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        const limit = setTimeout(() => refuse(`no answer within ${ANSWER_MS / 1000} s`), ANSWER_MS);
        const close = (): void => {
          clearTimeout(limit);
          open.delete(id);
        };
        const refuse = (reason: string): void => {
          close();
          reject(new Fault("unavailable", `The graph could not be described: ${reason}`));
        };
        open.set(id, {
          refuse,
          resolve(line) {
            close();
            resolve(line);
          },
        });
        send({ ...question, id });
      }),
    answer(line) {
      if ("error" in line) open.get(line.id)?.refuse(line.error.message);
      else open.get(line.id)?.resolve(line);
    },
    refuseAll(reason) {
      for (const question of open.values()) question.refuse(reason);
    },
  };
}
