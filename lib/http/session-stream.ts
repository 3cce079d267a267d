import type { Sessions } from "../engine/sessions.ts";
import type { RequestCaller } from "./auth.ts";

/**
 * Ends a response with the session of the console that requested it, as if its reader had left. After a sign-out nobody
 * receives more, not even somebody who has copied the cookie.
 */
export function endingWithSession(response: Response, sessions: Sessions, { session }: RequestCaller): Response {
  const { body } = response;
  if (session === undefined || body === null) return response;
  const reader = body.getReader();
  let forget = (): void => undefined;
  let over = false;
  const pieces = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        forget = sessions.onEnd(session, () => {
          over = true;
          reader.cancel().catch(() => undefined);
          controller.close();
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (over) return;
          if (!done) return controller.enqueue(value);
          forget();
          controller.close();
        } catch (error) {
          forget();
          if (!over) controller.error(error);
        }
      },
      async cancel(reason) {
        forget();
        await reader.cancel(reason);
      },
    },
    // Nothing is buffered here: a piece is pulled only when there is a reader for it.
    { highWaterMark: 0 },
  );
  return new Response(pieces, response);
}
