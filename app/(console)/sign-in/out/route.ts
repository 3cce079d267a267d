import { endSession } from "../../_shell/session.ts";

/** The form of "Sign out"; `which=all` ends the sessions of all browsers. Pages of other origins do not get here. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => undefined);
  await endSession(form?.get("which") === "all" ? "all" : "this");
  return new Response(null, { status: 303, headers: { location: "/sign-in" } });
}
