"use server";

import { redirect } from "next/navigation";
import { setTimeout as wait } from "node:timers/promises";
import { isKeyed } from "../_shell/server.ts";
import { endSession, startSession } from "../_shell/session.ts";
import { localPath } from "@/lib/client/local-path.ts";

export interface SignInState {
  problem?: string;
}

/** Makes guessing slow without keeping count of anybody. */
const WRONG_KEY_MS = 500;

export async function signIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const [key, next] = [form.get("key"), form.get("next")];
  const what = isKeyed() ? "key" : "code";
  if (typeof key !== "string" || key === "") return { problem: `Enter the ${what}.` };
  // The whole link will do.
  const code = isKeyed() ? undefined : /[?&]code=([\w-]+)/.exec(key)?.[1];
  if (!(await startSession(code ?? key.trim()))) {
    await wait(WRONG_KEY_MS);
    return { problem: `This is not the ${what} of this server.` };
  }
  redirect(localPath(next));
}

export async function signOut(): Promise<void> {
  await endSession();
  redirect("/sign-in");
}
