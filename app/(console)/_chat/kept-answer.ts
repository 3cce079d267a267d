"use client";

import { createContext, useContext, useState } from "react";
import { setNewest } from "#lib/rules/set-newest.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";

/** The most questions for which something is kept. */
const MOST = 20;

/** Holds the written parts of answers, by question. A card that is shown again begins with them. */
const kept = new Map<string, ReadonlyMap<string, unknown>>();

/** The question that the parts around it answer. */
export const QuestionContext = createContext("");

/** Names a question. The questions of a node that asks several times have one id. */
export function questionKey({ id, value }: TurnInterrupt): string {
  return `${id} ${JSON.stringify(value)}`;
}

/** `useState` for a part of an answer. It is kept until the answer is taken, in case it cannot be sent. */
export function useKept<T>(part: string, start: T): readonly [T, (next: T) => void] {
  const question = useContext(QuestionContext);
  // A part is always written by the same code.
  const [value, setValue] = useState(() => (kept.get(question)?.get(part) as T | undefined) ?? start);
  const write = (next: T): void => {
    setValue(next);
    setNewest(kept, question, new Map(kept.get(question)).set(part, next), MOST);
  };
  return [value, write];
}

/** Called once an answer has been taken. */
export function forgetAnswer(interrupt: TurnInterrupt): void {
  kept.delete(questionKey(interrupt));
}
