import { redirect } from "next/navigation";
import { isKeyed } from "../../_shell/server.ts";
import { startSession } from "../../_shell/session.ts";
import { lockedOut } from "../locked-out.ts";

/** The link that a server without key prints. A key is none for an address: it would stay in the browser's history. */
export async function GET(request: Request): Promise<Response> {
  const code = new URL(request.url).searchParams.get("code");
  const signIn = isKeyed() || code === null ? undefined : await startSession(code);
  if (signIn?.result === "locked") return lockedOut(signIn.retryAfter);
  redirect("/");
}
