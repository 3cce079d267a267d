"use client";

import { useActionState } from "react";
import { Button } from "../_ui/button.tsx";
import { signIn, type SignInState } from "./actions.ts";

const START: SignInState = {};

export function SignInForm({ next, label = "API key", button }: { next: string; label?: string; button?: string }) {
  const [{ problem }, action, pending] = useActionState(signIn, START);
  return (
    <form action={action} className="flex flex-col gap-3">
      <input type="hidden" name="next" value={next} />
      <label className="flex flex-col gap-1.5">
        <span className="text-small text-ink-2">{label}</span>
        <input
          name="key"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? "sign-in-problem" : undefined}
          className="h-10 rounded-control border border-line-strong bg-background px-3 font-mono text-code outline-offset-0 aria-invalid:border-bad"
        />
      </label>
      {problem ? (
        <p id="sign-in-problem" role="alert" className="text-bad">
          {problem}
        </p>
      ) : null}
      <Button
        look="primary"
        type="submit"
        disabled={pending}
        className={`h-10 ${button === undefined ? "" : "self-start"}`}
      >
        {pending ? "One moment…" : (button ?? "Sign in")}
      </Button>
    </form>
  );
}
