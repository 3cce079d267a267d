import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { running } from "@/lib/platform.ts";
import { SESSION_COOKIE } from "@/lib/protocol/session.ts";
import { publicUrl } from "@/lib/rules/public-url.ts";

/** Whether this visitor may see the console: everybody where no key is set, else who has signed in with it. */
export async function isSignedIn(): Promise<boolean> {
  const { apiKey } = running().settings;
  const session = (await cookies()).get(SESSION_COOKIE)?.value;
  return !apiKey || (session !== undefined && apiKey.isSession(session));
}

/** Sends who has not signed in to the door, and from there to where they were going. */
export async function requireSession(path: string): Promise<void> {
  if (!(await isSignedIn())) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** False when this is not the key. */
export async function startSession(key: string): Promise<boolean> {
  const { settings } = running();
  if (!settings.apiKey?.matches(key)) return false;
  const secure = publicUrl(await headers(), settings).startsWith("https:");
  (await cookies()).set(SESSION_COOKIE, settings.apiKey.session, {
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
