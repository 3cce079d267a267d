import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ApiKey } from "@/lib/engine/key-ports.ts";
import { running } from "@/lib/platform.ts";
import { SESSION_COOKIE } from "@/lib/protocol/session.ts";
import { publicUrl } from "@/lib/rules/public-url.ts";

/** Whether this visitor may see the console: everybody where no key is set, else who has signed in with it. */
export async function isSignedIn(): Promise<boolean> {
  const { apiKey } = running().settings;
  return !apiKey || (await hasSession(apiKey));
}

/** Whether this visitor has shown the code of a console that has no key. */
export async function hasShownCode(): Promise<boolean> {
  const { consoleKey } = running().settings;
  return consoleKey !== undefined && (await hasSession(consoleKey));
}

async function hasSession(key: ApiKey): Promise<boolean> {
  const session = (await cookies()).get(SESSION_COOKIE)?.value;
  return session !== undefined && key.isSession(session);
}

/** Sends who has not signed in to the door, and from there to where they were going. */
export async function requireSession(path: string): Promise<void> {
  if (!(await isSignedIn())) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** By the server's key or, where it has none, the console's code. False when this is not it. */
export async function startSession(given: string): Promise<boolean> {
  const { settings } = running();
  const key = settings.apiKey ?? settings.consoleKey;
  if (!key?.matches(given)) return false;
  const secure = publicUrl(await headers(), settings).startsWith("https:");
  (await cookies()).set(SESSION_COOKIE, key.session, {
    httpOnly: true,
    sameSite: "strict",
    path: "/",
    secure,
    maxAge: 30 * 24 * 3600,
  });
  return true;
}

export async function endSession(): Promise<void> {
  (await cookies()).delete(SESSION_COOKIE);
}
