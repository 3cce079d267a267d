"use client";

import { useActionState, useEffect, useState } from "react";
import { Button } from "../_ui/button.tsx";
import { signIn, type SignInProblem } from "#lib/client/sign-in.ts";

type SignInOutcome = Partial<SignInProblem>;

const START: SignInOutcome = {};

export function SignInForm({ next, label = "API key", button }: { next: string; label?: string; button?: string }) {
  const [outcome, action, pending] = useActionState<SignInOutcome, FormData>(async (_before, form) => {
    const key = form.get("key");
    const problem = await signIn(typeof key === "string" ? key : "");
    if (problem) return problem;
    // A full load, because pages that were prefetched before are those for visitors without a session.
    window.location.replace(next);
    return await new Promise<never>(() => undefined);
  }, START);
  const wait = useSecondsLeft(outcome);
  const { problem, retryAfter } = outcome;
  const isShown = problem !== undefined && (retryAfter === undefined || wait > 0);
  return (
    <form action={action} className="flex flex-col gap-3">
      <label className="flex flex-col gap-1.5">
        <span className="text-small text-ink-2">{label}</span>
        <input
          name="key"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={isShown && retryAfter === undefined}
          aria-describedby={isShown ? "sign-in-problem" : undefined}
          className="h-10 rounded-control border border-line-strong bg-background px-3 font-mono text-code outline-offset-0 aria-invalid:border-bad"
        />
      </label>
      {isShown && retryAfter === undefined ? (
        <p id="sign-in-problem" role="alert" className="text-bad">
          {problem}
        </p>
      ) : null}
      {/* Screen readers read this once. The seconds count down on the button only. */}
      <output id={retryAfter === undefined ? undefined : "sign-in-problem"} className="text-bad empty:-mb-3">
        {isShown && retryAfter !== undefined ? (
          <>
            {problem} <span className="sr-only">Try again in {retryAfter} s.</span>
          </>
        ) : null}
      </output>
      <Button
        variant="primary"
        type="submit"
        disabled={pending || wait > 0}
        className={`h-10 tabular-nums ${button === undefined ? "" : "self-start"}`}
      >
        {pending ? "Signing in…" : wait > 0 ? `Try again in ${wait} s` : (button ?? "Sign in")}
      </Button>
    </form>
  );
}

/** Returns the seconds until the next attempt is allowed; 0 if it is allowed now. */
function useSecondsLeft(outcome: SignInOutcome): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = performance.now() + (outcome.retryAfter ?? 0) * 1000;
    const count = (): void => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000)));
    count();
    const counting = setInterval(count, 250);
    return () => clearInterval(counting);
  }, [outcome]);
  return left;
}
