"use client";

import { useId, useState } from "react";
import {
  answerOf,
  capitalised,
  type Choice,
  type Field,
  isComplete,
  isRefusal,
  isToWrite,
} from "#lib/rules/interrupts/answer-form.ts";
import { Button } from "../_ui/button.tsx";
import { AnswerField } from "./answer-field.tsx";
import { useKept } from "./kept-answer.ts";

interface ChoicesProps {
  /** The name of the choice among the parts of the answer. */
  part: string;
  choices: readonly Choice[];
  /** The choice whose fields are open. */
  chosen: Choice | undefined;
  onChoose: (choice: Choice | undefined) => void;
  onAnswer: (choice: Choice, more: Record<string, unknown>) => void;
  /** One of several groups of buttons has no primary button. */
  isOneOfMany?: boolean;
  /** The first choice takes the focus on mount if the button that had it is gone. */
  takesFocus?: boolean;
}

/** Shows a button for each choice. A choice with fields replaces the buttons by its fields. */
export function Choices({
  part,
  choices,
  chosen,
  onChoose,
  onAnswer,
  isOneOfMany = false,
  takesFocus = false,
}: ChoicesProps) {
  const [lastChosen, setLastChosen] = useState<string>();
  if (chosen) {
    return (
      <Fields
        part={`${part} ${chosen.value}`}
        fields={chosen.fields}
        submit={isToWrite(chosen.value) ? "Send answer" : capitalised(chosen.value)}
        onSubmit={(more) => onAnswer(chosen, more)}
        onBack={() => {
          setLastChosen(chosen.value);
          onChoose(undefined);
        }}
      />
    );
  }
  const focused = lastChosen ?? (takesFocus ? choices[0]?.value : undefined);
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {choices.map((choice, index) => (
        <Button
          key={choice.value}
          ref={choice.value === focused ? takeFocus : undefined}
          variant={isRefusal(choice.value) ? "danger" : index === 0 && !isOneOfMany ? "primary" : "outline"}
          onClick={() => (choice.fields.length > 0 ? onChoose(choice) : onAnswer(choice, {}))}
        >
          {capitalised(choice.value)}
        </Button>
      ))}
    </div>
  );
}

/** A `ref` callback that focuses the control. It is for controls that replace the focused one. */
export function takeFocus(control: HTMLElement | null): void {
  control?.focus({ preventScroll: true });
}

export function Fields({
  part,
  fields,
  submit,
  onSubmit,
  onBack,
}: {
  /** The name of the fields among the parts of the answer. */
  part: string;
  fields: readonly Field[];
  submit: string;
  onSubmit: (answer: Record<string, unknown>) => void;
  onBack?: () => void;
}) {
  const id = useId();
  const [typed, setTyped] = useKept<Record<string, string>>(part, {});
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
          onValue={(value) => setTyped({ ...typed, [field.name]: value })}
          takesFocus={index === 0 && onBack !== undefined}
          onEscape={onBack}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" type="submit" disabled={!canSend}>
          {submit}
        </Button>
        {onBack ? (
          <Button variant="quiet" onClick={onBack}>
            Back
          </Button>
        ) : null}
      </div>
    </form>
  );
}
