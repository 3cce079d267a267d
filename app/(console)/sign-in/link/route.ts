import { redirect } from "next/navigation";
import { setTimeout as wait } from "node:timers/promises";
import { isKeyed } from "../../_shell/server.ts";
import { startSession } from "../../_shell/session.ts";

/** Makes guessing slow without keeping count of anybody. */
const WRONG_CODE_MS = 500;

/** The link that a server without key prints. A key is none for an address: it would stay in the browser's history. */
export async function GET(request: Request): Promise<never> {
  const code = new URL(request.url).searchParams.get("code");
  if (!isKeyed() && code !== null && !(await startSession(code))) await wait(WRONG_CODE_MS);
  redirect("/");
}
