"use client";

import { useState } from "react";
import type { JsonObject } from "#lib/protocol/json.ts";
import { capitalised } from "#lib/rules/interrupts/answer-form.ts";
import {
  type ReviewDecision,
  type ReviewedAction,
  type ReviewRequest,
  resumeOf,
} from "#lib/rules/interrupts/review-request.ts";
import { Button } from "../_ui/button.tsx";
import { Pill } from "../_ui/status.tsx";
import { Answer } from "./answer.tsx";
import { Choices, takeFocus } from "./answer-choices.tsx";
import { useKept } from "./kept-answer.ts";

/** Shows tool calls that wait for approval. Each is approved, edited or rejected; all decisions are sent together. */
export function Review({ review, onAnswer }: { review: ReviewRequest; onAnswer: (value: unknown) => void }) {
  const [decisions, setDecisions] = useKept<readonly (ReviewDecision | undefined)[]>("decisions", []);
  const { actions } = review;
  const [only] = actions;
  const made = actions.flatMap((_, place) => decisions[place] ?? []);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Pill tone="waiting">Waiting for you</Pill>
        <span className="font-medium break-words">
          {actions.length === 1 && only ? (
            <>
              Run <code className="font-mono text-code wrap-anywhere">{only.name}</code>?
            </>
          ) : (
            `Run these ${actions.length} tool calls?`
          )}
        </span>
      </div>
      {actions.length === 1 && only ? (
        <Action
          part="action 0"
          action={only}
          onDecide={(decision) => onAnswer(resumeOf(review, decision ? [decision] : []))}
        />
      ) : (
        <>
          <ol className="mt-3 flex flex-col">
            {actions.map((action, place) => (
              // Two calls may be equal, so only their positions can be keys.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={place} aria-label={action.name} className="border-t border-line py-3">
                <code className="font-mono text-code font-medium wrap-anywhere">{action.name}</code>
                <Action
                  part={`action ${place}`}
                  action={action}
                  isOneOfMany
                  decision={decisions[place]}
                  onDecide={(decision) =>
                    setDecisions(actions.map((__, one) => (one === place ? decision : decisions[one])))
                  }
                />
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap items-center gap-3 border-t border-line pt-3">
            <Button
              variant="primary"
              disabled={made.length < actions.length}
              onClick={() => onAnswer(resumeOf(review, made))}
            >
              Send decisions
            </Button>
            <output className="text-small text-ink-2">
              {made.length} of {actions.length} decided
            </output>
          </div>
        </>
      )}
    </>
  );
}

function Action({
  part,
  action,
  isOneOfMany = false,
  decision,
  onDecide,
}: {
  /** The name of the decision among the parts of the answer. */
  part: string;
  action: ReviewedAction;
  isOneOfMany?: boolean;
  decision?: ReviewDecision;
  onDecide: (decision: ReviewDecision | undefined) => void;
}) {
  const { description, args, choices } = action;
  const [chosenValue, setChosen] = useKept(part, "");
  const chosen = choices.find((one) => one.value === chosenValue);
  const [isReopened, setReopened] = useState(false);
  return (
    <>
      {description ? (
        <div className="mt-2.5 text-ink-2">
          <Answer text={description} live={false} />
        </div>
      ) : null}
      {chosen?.value === "edit" ? null : <Arguments args={args} />}
      {decision ? (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Pill tone={decision.choice === "reject" ? "bad" : "ok"}>{DECIDED[decision.choice] ?? "Decided"}</Pill>
          <Button
            ref={takeFocus}
            variant="quiet"
            onClick={() => {
              setReopened(true);
              onDecide(undefined);
            }}
          >
            Change
          </Button>
        </div>
      ) : (
        <Choices
          part={part}
          choices={choices}
          chosen={chosen}
          onChoose={(choice) => setChosen(choice?.value ?? "")}
          isOneOfMany={isOneOfMany}
          takesFocus={isReopened}
          onAnswer={({ value }, given) => {
            if (isOneOfMany) setChosen("");
            onDecide({ choice: value, given });
          }}
        />
      )}
    </>
  );
}

const DECIDED: Readonly<Record<string, string>> = {
  approve: "Approved",
  edit: "Edited",
  respond: "Answered",
  reject: "Rejected",
};

function Arguments({ args }: { args: JsonObject }) {
  const entries = Object.entries(args);
  if (entries.length === 0) return null;
  return (
    <dl className="mt-2.5 flex max-h-96 flex-col gap-2 overflow-auto rounded-control bg-well px-3 py-2.5">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="text-small text-ink-2">{capitalised(name.replaceAll("_", " "))}</dt>
          <dd className={`break-words whitespace-pre-wrap ${typeof value === "string" ? "" : "font-mono text-code"}`}>
            {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
