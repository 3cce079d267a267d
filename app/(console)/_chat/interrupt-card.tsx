"use client";

import { type ReactNode, useState } from "react";
import { type InterruptPrompt, type Choice, type Field, readInterrupt } from "#lib/rules/interrupts/answer-form.ts";
import { readReview } from "#lib/rules/interrupts/review-request.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { Pill } from "../_ui/status.tsx";
import { Choices, Fields } from "./answer-choices.tsx";
import { Review } from "./review.tsx";

/** Shows the interrupt that a run waits for, and the answers that it allows. */
export default function InterruptCard({
  interrupt,
  onAnswer,
}: {
  interrupt: TurnInterrupt;
  onAnswer: (value: unknown) => void;
}) {
  const review = readReview(interrupt.value);
  return (
    <section aria-label="Waiting for you" className="rounded-card border border-waiting bg-background p-4">
      {review ? (
        <Review review={review} onAnswer={onAnswer} />
      ) : (
        <Question prompt={readInterrupt(interrupt.value)} onAnswer={onAnswer} />
      )}
    </section>
  );
}

const TEXT_ANSWER: readonly Field[] = [
  { name: "answer", kind: "text", label: "Your answer", required: true, options: [], start: "" },
];

function Question({
  prompt: { question, draft, rest, form },
  onAnswer,
}: {
  prompt: InterruptPrompt;
  onAnswer: (value: unknown) => void;
}) {
  const [chosen, setChosen] = useState<Choice>();
  // The draft is not shown twice if a field starts with it.
  const isDraftInField = chosen?.fields.some((field) => field.start !== "" && field.start === draft) ?? false;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Pill tone="waiting">Waiting for you</Pill>
        <span className="font-medium break-words">{question}</span>
      </div>
      {draft && !isDraftInField ? <p className="mt-2.5 break-words whitespace-pre-wrap text-ink-2">{draft}</p> : null}
      {rest ? (
        <pre className="mt-2.5 max-h-64 overflow-auto font-mono text-code break-words whitespace-pre-wrap">{rest}</pre>
      ) : null}
      {answerPart()}
    </>
  );

  function answerPart(): ReactNode {
    if (form.kind === "fields") return <Fields fields={form.fields} submit="Answer" onSubmit={onAnswer} />;
    if (form.kind === "words")
      return <Fields fields={TEXT_ANSWER} submit="Answer" onSubmit={({ answer }) => onAnswer(answer)} />;
    const { name, choices } = form;
    return (
      <Choices
        choices={choices}
        chosen={chosen}
        onChoose={setChosen}
        onAnswer={({ value }, more) => onAnswer(name === undefined ? value : { [name]: value, ...more })}
      />
    );
  }
}
