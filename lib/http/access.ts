import { type Access, accessAs, authenticate, OPEN_ACCESS, STUDIO_USER } from "../engine/access.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import { getThread, isThreadVisible, noThread } from "../engine/threads/find-thread.ts";
import type { PlainRequest } from "../protocol/auth.ts";
import type { JsonObject } from "../protocol/json.ts";
import { consoleCaller } from "../rules/http/console-caller.ts";
import { publicUrl } from "../rules/http/public-url.ts";
import { withGuessLimit, type KeyHolder, isOfConsole, requireKey, withoutKey } from "./auth.ts";
import type { HttpSettings } from "./settings.ts";
import { threadIdOf } from "./thread-id.ts";

/**
 * Lets a caller in, or not. An application with its own authentication is asked in place of the key; who holds the
 * server's key may do everything all the same. Faults: `unauthorized`, `too_many`; what the application answers.
 */
export async function admit(
  request: Request,
  deployment: Deployment,
  settings: HttpSettings,
  holder: KeyHolder | undefined,
): Promise<Access> {
  if (!deployment.config?.auth) {
    requireKey(request, settings, holder);
    return OPEN_ACCESS;
  }
  if (holder === "operator") return OPEN_ACCESS;
  if (isStudio(request, deployment, settings, holder)) return accessAs(deployment, STUDIO_USER);
  const asked = plainRequest(request, settings);
  return await withGuessLimit(request, settings, holder, () => authenticate(deployment, asked));
}

/** The console, or what says of itself that it is a studio: a header that anybody can send, so it has to be wanted. */
function isStudio(
  request: Request,
  { config }: Deployment,
  { apiKey }: HttpSettings,
  holder: KeyHolder | undefined,
): boolean {
  const circumstances = { auth: config?.auth, keyed: apiKey !== undefined, passed: holder === "console" };
  if (consoleCaller(circumstances) !== "studio") return false;
  return holder === "console" || isOfConsole(request) || request.headers.get("x-auth-scheme") === "langsmith";
}

/** The request without its body, its path as below the deployment's address: the application knows no other. */
export function plainRequest(request: Request, settings: HttpSettings): PlainRequest {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url, "http://localhost");
  return {
    method,
    url: publicUrl(headers, settings) + pathname.replace(/^\/agents\/[^/]+/, "") + search,
    headers: withoutKey(headers, settings.apiKey),
  };
}

interface ThreadCall {
  readonly access: Access;
  readonly deployment: Deployment;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The thread that a path names, when something may be done to it; `value` is what the application has left of the
 * event's. Faults: `not_found` also for what the caller may not see.
 */
export async function permitThread(
  { access, deployment, params }: ThreadCall,
  action: "read" | "update" | "delete",
  value: JsonObject = {},
): Promise<{ threadId: string; value: JsonObject }> {
  const threadId = threadIdOf(params);
  const permit = await access.permit(`threads:${action}`, { thread_id: threadId, ...value });
  if (permit.visible) await getThread(deployment, threadId, permit.visible);
  return { threadId, value: permit.value };
}

/** As `permitThread` for reading, of a thread that may not be there yet. */
export async function permitFutureThread({ access, deployment, params }: ThreadCall): Promise<string> {
  const thread_id = threadIdOf(params);
  const { visible } = await access.permit("threads:read", { thread_id });
  if (!(await isThreadVisible(deployment, thread_id, visible))) throw noThread(thread_id);
  return thread_id;
}
