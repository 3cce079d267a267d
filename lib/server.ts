/** `npm start` and `npm run dev`: the platform and Next in one process. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import next from "next";
import { startPlatform } from "./compose/platform.ts";
import { DEFAULT_PORT, readEnvironment, takeArguments } from "./env.ts";
import { guardTunnels, upgradesOfNext } from "./server/admission.ts";
import { announce, explain, USAGE } from "./server/announcement.ts";
import { answerBy, tunnelsBy } from "./server/answer.ts";
import { type Front, listen, listenOnIpv6Loopback, ownOrigin } from "./server/listen.ts";
import { trackOpenResponses } from "./server/open-answers.ts";

/** How long the last events of streams may take to leave, in ms. */
const LAST_WORDS_MS = 1_000;

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
  const { HOST: host, PORT: port } = readEnvironment();
  const dir = resolve(import.meta.dirname, "..");
  const app = next({ dev, dir, hostname: host, port: port ?? DEFAULT_PORT, quiet: true, httpServer: upgradesOfNext });
  const [running] = await Promise.all([startPlatform({ watch: dev }), app.prepare()]);

  const answers = trackOpenResponses();
  const front: Front = {
    answer: answerBy(running, app.getRequestHandler(), dev),
    guard(server) {
      guardTunnels(server, running.settings, { dev, take: tunnelsBy(running) });
      answers.of(server);
    },
  };
  const server = await listen(front, port, host);
  running.listening(ownOrigin(server.address()));
  const twin =
    host === "127.0.0.1" || host === "0.0.0.0" ? await listenOnIpv6Loopback(front, server.address()) : undefined;
  announce(server.address(), twin ? "localhost" : host, running, port);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    server.close();
    twin?.close();
    await running.stop();
    // Streams were told why they end (docs/decisions/043-streams-at-a-stop.md).
    await answers.sent(LAST_WORDS_MS);
    server.closeAllConnections();
    twin?.closeAllConnections();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

// Whoever read the output has gone (a closed terminal, `| head`): the server goes on, rather than fail at telling so.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/** Would open Node's debugger to whoever may send it, code of deployments among them. */
process.on("SIGUSR1", () => undefined);

try {
  await main();
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  process.exit(1);
}
