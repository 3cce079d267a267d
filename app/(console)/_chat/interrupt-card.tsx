"use client";

import { useId, useState } from "react";
import {
  answerOf,
  type AnswerForm,
  type Asked,
  capitalised,
  type Choice,
  type Field,
  isComplete,
  isRefusal,
  isToWrite,
  readInterrupt,
} from "@/lib/rules/answer-form.ts";
import type { Interrupt } from "@/lib/rules/transcript.ts";
import { Button } from "../_ui/button.tsx";
import { Pill } from "../_ui/status.tsx";
import { AnswerField } from "./answer-field.tsx";

/** What a run waits for, and the ways to answer that its schema allows. */
export default function InterruptCard({
  interrupt,
  onAnswer,
}: {
  interrupt: Interrupt;
  onAnswer: (value: unknown) => void;
}) {
  const asked = readInterrupt(interrupt.value);
  const [chosen, setChosen] = useState<Choice>();
  // A field that begins with the draft shows it already.
  const isWritten = chosen?.fields.some((field) => field.start !== "" && field.start === asked.draft) ?? false;
  return (
    <section aria-label="Waiting for you" className="rounded-card border border-waiting bg-background p-4">
      <Question asked={isWritten ? { ...asked, draft: undefined } : asked} />
      <AnswerPart form={asked.form} chosen={chosen} onChoose={setChosen} onAnswer={onAnswer} />
    </section>
  );
}

function Question({ asked: { question, draft, rest } }: { asked: Asked }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Pill tone="waiting">Waiting for you</Pill>
        <span className="font-medium break-words">{question}</span>
      </div>
      {draft ? <p className="mt-2.5 break-words whitespace-pre-wrap text-ink-2">{draft}</p> : null}
      {rest ? (
        <pre className="mt-2.5 max-h-64 overflow-auto font-mono text-code break-words whitespace-pre-wrap">{rest}</pre>
      ) : null}
    </>
  );
}

interface Choosing {
  /** The choice for which more is being said. */
  chosen: Choice | undefined;
  onChoose: (choice: Choice | undefined) => void;
  onAnswer: (value: unknown) => void;
}

function AnswerPart({ form, chosen, onChoose, onAnswer }: Choosing & { form: AnswerForm }) {
  if (form.kind === "choices") {
    return <Choices form={form} chosen={chosen} onChoose={onChoose} onAnswer={onAnswer} />;
  }
  if (form.kind === "fields") return <Fields fields={form.fields} submit="Answer" onSubmit={onAnswer} />;
  return <Fields fields={WORDS} submit="Answer" onSubmit={({ answer }) => onAnswer(answer)} />;
}

const WORDS: readonly Field[] = [
  { name: "answer", kind: "text", label: "Your answer", required: true, options: [], start: "" },
];

type ChoicesForm = Extract<AnswerForm, { kind: "choices" }>;

/** A button a choice. One that needs more to be said opens its fields in place of the buttons. */
function Choices({ form: { name, choices }, chosen, onChoose, onAnswer }: Choosing & { form: ChoicesForm }) {
  const give = (choice: Choice, more: Record<string, unknown>) =>
    onAnswer(name === undefined ? choice.value : { [name]: choice.value, ...more });
  if (chosen) {
    return (
      <Fields
        fields={chosen.fields}
        submit={isToWrite(chosen.value) ? "Send answer" : capitalised(chosen.value)}
        onSubmit={(more) => give(chosen, more)}
        onBack={() => onChoose(undefined)}
      />
    );
  }
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {choices.map((choice, index) => (
        <Button
          key={choice.value}
          look={isRefusal(choice.value) ? "danger" : index === 0 ? "primary" : "outline"}
          onClick={() => (choice.fields.length > 0 ? onChoose(choice) : give(choice, {}))}
        >
          {capitalised(choice.value)}
        </Button>
      ))}
    </div>
  );
}

function Fields({
  fields,
  submit,
  onSubmit,
  onBack,
}: {
  fields: readonly Field[];
  submit: string;
  onSubmit: (answer: Record<string, unknown>) => void;
  onBack?: () => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const canSend = isComplete(fields, typed);
  return (
    <form
      aria-label={submit}
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSubmit(answerOf(fields, typed));
      }}
    >
      {fields.map((field, index) => (
        <AnswerField
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={typed[field.name] ?? field.start}
          onValue={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
          takesFocus={index === 0 && onBack !== undefined}
          onEscape={onBack}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" disabled={!canSend}>
          {submit}
        </Button>
        {onBack ? (
          <Button look="quiet" onClick={onBack}>
            Back
          </Button>
        ) : null}
      </div>
    </form>
  );
}
