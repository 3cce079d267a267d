"use client";

import type { ReactNode } from "react";
import { type InterruptPrompt, type Field, readInterrupt } from "#lib/rules/interrupts/answer-form.ts";
import { readReview } from "#lib/rules/interrupts/review-request.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { Pill } from "../_ui/status.tsx";
import { Answer } from "./answer.tsx";
import { Choices, Fields } from "./answer-choices.tsx";
import { QuestionContext, questionKey, useKept } from "./kept-answer.ts";
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
    <QuestionContext value={questionKey(interrupt)}>
      <section aria-label="Waiting for you" className="rounded-card border border-waiting bg-background p-4">
        {review ? (
          <Review review={review} onAnswer={onAnswer} />
        ) : (
          <Question prompt={readInterrupt(interrupt.value)} onAnswer={onAnswer} />
        )}
      </section>
    </QuestionContext>
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
  const [chosenValue, setChosen] = useKept("choice", "");
  const chosen = "choices" in form ? form.choices.find((one) => one.value === chosenValue) : undefined;
  // The draft is not shown twice if a field starts with it.
  const isDraftInField = chosen?.fields.some((field) => field.start !== "" && field.start === draft) ?? false;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Pill tone="waiting">Waiting for you</Pill>
        <div className="min-w-0 font-medium">
          <Answer text={question} live={false} />
        </div>
      </div>
      {draft && !isDraftInField ? <p className="mt-2.5 break-words whitespace-pre-wrap text-ink-2">{draft}</p> : null}
      {rest ? (
        <pre className="mt-2.5 max-h-64 overflow-auto font-mono text-code break-words whitespace-pre-wrap">{rest}</pre>
      ) : null}
      {answerPart()}
    </>
  );

  function answerPart(): ReactNode {
    if (form.kind === "fields")
      return <Fields part="fields" fields={form.fields} submit="Answer" onSubmit={onAnswer} />;
    if (form.kind === "words")
      return <Fields part="fields" fields={TEXT_ANSWER} submit="Answer" onSubmit={({ answer }) => onAnswer(answer)} />;
    const { name, choices } = form;
    return (
      <Choices
        part="choice"
        choices={choices}
        chosen={chosen}
        onChoose={(choice) => setChosen(choice?.value ?? "")}
        onAnswer={({ value }, more) => onAnswer(name === undefined ? value : { [name]: value, ...more })}
      />
    );
  }
}
