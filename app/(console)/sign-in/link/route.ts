import { redirect } from "next/navigation";
import { isKeyed } from "../../_shell/server.ts";
import { startSession } from "../../_shell/session.ts";
import { lockedOut } from "../locked-out.ts";

/** Handles the link that a server without an API key prints. A key is refused: it would stay in the history. */
export async function GET(request: Request): Promise<Response> {
  const code = new URL(request.url).searchParams.get("code");
  const signIn = isKeyed() || code === null ? undefined : await startSession(code);
  if (signIn?.result === "locked") return lockedOut(signIn.retryAfter);
  redirect("/");
}
