import { v7 as uuid } from "uuid";

const TURNS = 10;

/** Lends each thread to one caller at a time, for at most ten turns. */
export function lendThreads(): (turn: (thread: string) => Promise<void>) => Promise<void> {
  const free: { id: string; turns: number }[] = [];
  return async (turn) => {
    const thread = free.pop() ?? { id: uuid(), turns: 0 };
    await turn(thread.id);
    if (++thread.turns < TURNS) free.push(thread);
  };
}
