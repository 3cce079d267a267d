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
 * Authenticates a caller. An application with its own authentication decides in place of the key, but whoever holds the
 * server's key may do everything. Faults: `unauthorized`, `too_many`; what the application answers.
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
  const plain = plainRequest(request, settings);
  return await withGuessLimit(request, settings, holder, () => authenticate(deployment, plain));
}

/**
 * Returns whether the console or LangSmith's studio is calling. Anybody can send the studio's header, so it counts only
 * where the configuration allows the studio.
 */
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

/** Returns the request without its body, with its path below the deployment's address, as the application knows it. */
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
 * Asks the application whether the caller may do something to the thread of a path. `value` is the event's value as the
 * application has changed it. Faults: `not_found`, also for a thread that the caller may not see.
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

/** Permits reading like `permitThread`, but the thread need not exist yet. */
export async function permitFutureThread({ access, deployment, params }: ThreadCall): Promise<string> {
  const thread_id = threadIdOf(params);
  const { visible } = await access.permit("threads:read", { thread_id });
  if (!(await isThreadVisible(deployment, thread_id, visible))) throw noThread(thread_id);
  return thread_id;
}
