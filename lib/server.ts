/** Runs the platform and the console in one process, for `npm start` and `npm run dev`. */
import type { RequestListener, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPlatform } from "./compose/platform.ts";
import { DEFAULT_PORT, readEnvironment, takeArguments } from "./env.ts";
import { guardUpgrades } from "./server/admission.ts";
import { announce, explain, USAGE } from "./server/announcement.ts";
import { answerBy, openSocketsBy } from "./server/answer.ts";
import { readApiRoutes } from "./server/api-routes.ts";
import { type Front, listen, listenOnIpv6Loopback, ownOrigin } from "./server/listen.ts";
import { trackOpenResponses } from "./server/open-responses.ts";
import { answerStarting } from "./server/probes.ts";
import { builtPages, pagesInDevelopment } from "./server/pages.ts";

/** Milliseconds for which a stop waits for the last events of streams. */
const LAST_EVENTS_MS = 1_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      app: { type: "string" },
      port: { type: "string" },
      host: { type: "string" },
      home: { type: "string" },
      dev: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  takeArguments(values);
  const dev = values.dev ?? false;
  const { HOST: host, PORT: port, GRAPHLIB_ROLES: roles, GRAPHLIB_DRAIN_SECONDS: drainSeconds } = readEnvironment();
  const responses = trackOpenResponses();
  let answer: RequestListener = answerStarting;
  let guard: Front["guard"] = responses.track;
  const front: Front = { answer: (request, response) => answer(request, response), guard: (server) => guard(server) };
  // Servers that share their work are watched by programs, also while they wait for the database.
  const early = roles && (await listen(front, port, host));
  const [running, answerPage, answerRoute] = await Promise.all([
    startPlatform({ watch: dev }),
    dev ? pagesInDevelopment(host, port ?? DEFAULT_PORT) : builtPages(),
    dev ? undefined : readApiRoutes(),
  ]);

  answer = answerBy(running, { answerRoute, answerPage });
  const guardRequests = (server: Server): void =>
    guardUpgrades(server, running.settings, { dev, take: openSocketsBy(running) });
  guard = (server) => {
    guardRequests(server);
    responses.track(server);
  };
  if (early) guardRequests(early);
  const server = early ?? (await listen(front, port, host));
  running.listening(ownOrigin(server.address()));
  const ipv6Server =
    host === "127.0.0.1" || host === "0.0.0.0" ? await listenOnIpv6Loopback(front, server.address()) : undefined;
  announce(server.address(), ipv6Server ? "localhost" : host, running, port);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    running.drain();
    await sleep(drainSeconds * 1_000);
    server.close();
    ipv6Server?.close();
    const closeDatabases = await running.stop();
    // The last event of each stream says why it ends (docs/decisions/043-streams-at-a-stop.md).
    await responses.finished(LAST_EVENTS_MS);
    server.closeAllConnections();
    ipv6Server?.closeAllConnections();
    await closeDatabases();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

// If the reader of the output has gone (a closed terminal, `| head`), the server continues without it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/** One request or one connection that fails must not end all others. */
process.on("unhandledRejection", (reason) => console.error("[graphlib] unhandled rejection", reason));

/** Without a handler this signal would open Node's debugger to anybody who may send it, such as code of deployments. */
process.on("SIGUSR1", () => undefined);

try {
  await main();
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  process.exit(1);
}
