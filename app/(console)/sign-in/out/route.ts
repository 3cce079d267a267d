import { endSession } from "../../_shell/session.ts";

/** Handles the "Sign out" form; `which=all` ends all sessions. Requests from other origins are rejected before. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => undefined);
  await endSession(form?.get("which") === "all" ? "all" : "this");
  return new Response(null, { status: 303, headers: { location: "/sign-in" } });
}
