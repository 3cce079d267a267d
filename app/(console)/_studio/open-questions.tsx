"use client";

import { useState } from "react";
import { readInterrupt } from "#lib/rules/interrupts/answer-form.ts";
import { resumeByIds } from "#lib/rules/interrupts/open-interrupts.ts";
import { plainMarkdown } from "#lib/rules/text/plain-markdown.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { forgetAnswer, questionKey } from "../_chat/kept-answer.ts";
import { Button } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Dot } from "../_ui/status.tsx";
import { useStudio } from "./studio-context.ts";

const InterruptCard = lazyPart(() => import("../_chat/interrupt-card.tsx"));

/** An answer that waits to be sent. */
interface TypedAnswer {
  readonly question: string;
  readonly value: unknown;
}

/** Keeps answers until a run has taken them: those that are refused or come too late can be sent again. */
function useAnswers(interrupts: readonly TurnInterrupt[]) {
  const { start } = useStudio();
  const [typed, setTyped] = useState<ReadonlyMap<string, TypedAnswer>>(new Map());
  /** Counts how often answers were taken, so that a question that is asked again begins empty. */
  const [round, setRound] = useState(0);
  const forget = (ids: readonly string[]) =>
    setTyped((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
  const given = interrupts.flatMap((one) => {
    const answer = typed.get(one.id);
    return answer?.question === questionKey(one) ? [{ id: one.id, value: answer.value }] : [];
  });
  return {
    given,
    round,
    forget,
    keep: (interrupt: TurnInterrupt, value: unknown) =>
      setTyped(new Map(typed).set(interrupt.id, { question: questionKey(interrupt), value })),
    send: async (answers: readonly { id: string; value: unknown }[]) => {
      if (!(await start({ resume: resumeByIds(answers) }))) return;
      for (const one of interrupts) if (answers.some(({ id }) => id === one.id)) forgetAnswer(one);
      forget(answers.map(({ id }) => id));
      setRound((before) => before + 1);
    },
  };
}

/** The questions for which the thread waits. Several are answered one by one, or together. Suspends at first. */
export function OpenQuestions({ interrupts }: { interrupts: readonly TurnInterrupt[] }) {
  const { given, round, forget, keep, send } = useAnswers(interrupts);
  const [chosen, setChosen] = useState<string>();
  const answerOf = (id: string) => given.find((one) => one.id === id);
  const open = interrupts.filter(({ id }) => !answerOf(id));
  const current = open.find((one) => one.id === chosen) ?? open[0];
  const isAlone = interrupts.length === 1 && given.length === 0;
  const answer = (interrupt: TurnInterrupt, value: unknown) => {
    // The pressed button is removed, so the focus moves to the page's content.
    document.getElementById("main")?.focus({ preventScroll: true });
    if (isAlone) void send([{ id: interrupt.id, value }]);
    else keep(interrupt, value);
  };
  // A card keeps its place on the page, and with it what is typed, when the other questions are answered elsewhere.
  return (
    <section aria-label={isAlone ? undefined : "Open questions"} className={BOX}>
      {isAlone ? null : (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium">
            {interrupts.length === 1 ? "1 question waits for you" : `${interrupts.length} questions wait for you`}
          </span>
          <Button variant="primary" disabled={given.length === 0} onClick={() => void send(given)}>
            Send {given.length} of {interrupts.length}
          </Button>
        </div>
      )}
      <div className="flex flex-col gap-3">
        {interrupts.map((one) => {
          const { id, value } = one;
          const mine = answerOf(id);
          const key = `${round} ${questionKey(one)}`;
          return id === current?.id ? (
            <InterruptCard key={key} interrupt={one} onAnswer={(next) => answer(one, next)} />
          ) : (
            <OtherQuestion
              key={key}
              text={mine ? JSON.stringify(mine.value) : plainMarkdown(readInterrupt(value).question)}
              isAnswered={mine !== undefined}
              onOpen={() => {
                forget([id]);
                setChosen(id);
              }}
            />
          );
        })}
      </div>
      {isAlone ? null : (
        <p className="mt-2 text-small text-ink-3">
          Answers that are sent go on at once. The other questions stay open and are asked again.
        </p>
      )}
    </section>
  );
}

// On phones, the answer is more important than the log above it. It scrolls, so that a part of the log stays in view.
const BOX = "max-h-[60%] overflow-y-auto border-t border-line p-3 max-lg:max-h-[80%]";

/** A question whose form is not open: one that was answered here, or one that comes later. */
function OtherQuestion({ text, isAnswered, onOpen }: { text: string; isAnswered: boolean; onOpen: () => void }) {
  return (
    <p className="flex items-center gap-2.5 rounded-card border border-line py-1.5 pr-1.5 pl-4">
      <Dot tone={isAnswered ? "ok" : "waiting"} />
      <span className={`min-w-0 flex-1 truncate ${isAnswered ? "font-mono text-code" : ""}`}>{text}</span>
      <Button variant="quiet" aria-label={`${isAnswered ? "Change" : "Answer"}: ${text}`} onClick={onOpen}>
        {isAnswered ? "Change" : "Answer"}
      </Button>
    </p>
  );
}
