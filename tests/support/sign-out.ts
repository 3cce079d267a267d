import { SAME_ORIGIN } from "./sign-in.ts";

/** Signs out as the button of the sidebar does where scripts do not run; `everywhere` as the one beside it. */
export async function signOut(url: string, cookie: string, { everywhere = false } = {}): Promise<Response> {
  const page = await (await fetch(url, { headers: { cookie, ...SAME_ORIGIN } })).text();
  const [here, all] = [...page.matchAll(/name="(\$ACTION_ID_[0-9a-f]+)"/g)].map(([, name]) => name);
  const action = everywhere ? all : here;
  if (action === undefined) throw new Error("the page has no such button");
  const body = new FormData();
  body.set(action, "");
  return await fetch(url, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { cookie, ...SAME_ORIGIN, origin: url },
  });
}
