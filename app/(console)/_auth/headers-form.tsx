"use client";

import { useId, useState } from "react";
import { headersProblem, storeCustomHeaders } from "#lib/client/custom-headers.ts";
import { Button } from "../_ui/button.tsx";
import { useCustomHeaders } from "./use-custom-headers.ts";

/** Asks for the headers by which the application authenticates callers. */
export function HeadersForm({
  base,
  next,
}: {
  base: string;
  /** The page to load with them, because the current one shows the data of another caller. */
  next: string;
}) {
  const saved = useCustomHeaders(base);
  const [text, setText] = useState(saved ?? "");
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const save = (given: string | undefined): void => {
    const found = given === undefined ? undefined : headersProblem(given);
    if (found !== undefined) return setProblem(found);
    if (!storeCustomHeaders(base, given)) return setProblem("This browser does not store data for this page.");
    window.location.assign(next);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save(text);
      }}
    >
      <label className="flex flex-col gap-1.5">
        <span className="text-small text-ink-2">Headers to send, one per line</span>
        <textarea
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
          rows={3}
          placeholder="Authorization: Bearer …"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-note${problem === undefined ? "" : ` ${id}-problem`}`}
          className="w-full resize-y rounded-control border border-line-strong bg-background px-3 py-2 font-mono text-code outline-offset-0 aria-invalid:border-bad"
        />
      </label>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <p id={`${id}-note`} className="text-small text-ink-2">
        They are sent with every call to this deployment from this tab, until it is closed.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          Use these headers
        </Button>
        {saved === undefined ? null : <Button onClick={() => save(undefined)}>Remove these headers</Button>}
      </div>
    </form>
  );
}
