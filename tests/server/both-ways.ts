/**
 * Serves one platform at two ports, and prints their addresses as one line of JSON: `own` answers requests of the API by
 * their route files, `next` leaves all requests to Next.
 */
import { startPlatform } from "../../lib/compose/platform.ts";
import { takeArguments } from "../../lib/env.ts";
import { guardUpgrades } from "../../lib/server/admission.ts";
import { answerBy } from "../../lib/server/answer.ts";
import { type AnswerRoute, readApiRoutes } from "../../lib/server/api-routes.ts";
import { listen, ownOrigin } from "../../lib/server/listen.ts";
import { builtPages } from "../../lib/server/pages.ts";

takeArguments({});
const running = await startPlatform();
const answerPage = builtPages();

async function serve(answerRoute: AnswerRoute): Promise<string> {
  const front = {
    answer: answerBy(running, { answerRoute, answerPage }),
    guard: (server: Parameters<typeof guardUpgrades>[0]): void =>
      guardUpgrades(server, running.settings, { dev: false, take: () => false }),
  };
  return ownOrigin((await listen(front, 0, "127.0.0.1")).address());
}

const urls = { own: await serve(await readApiRoutes()), next: await serve(() => false) };
running.listening(urls.own);
console.log(JSON.stringify(urls));

process.on("SIGTERM", () => {
  void running
    .stop()
    .then((closeDatabases) => closeDatabases())
    .then(() => process.exit(0));
});
