import { forgetUser } from "#lib/client/recent-threads.ts";
import { SIGN_OUT } from "#lib/protocol/session.ts";

/** Ends the session of this browser, as the sidebar's form does. */
export function signOut(): void {
  forgetUser();
  const form = document.createElement("form");
  form.method = "post";
  form.action = SIGN_OUT;
  document.body.append(form);
  form.submit();
}
