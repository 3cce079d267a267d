/** Makes the call that `npm start` prints: of one of the application's graphs, with an input that the graph takes. */
import { exampleInput } from "../client/example-input.ts";
import { curlLine } from "../client/quick-start.ts";
import { readIoSchemas } from "../engine/assistants.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import { startersOf } from "../rules/graphs/starters.ts";
import { plain } from "../rules/text/terminal-text.ts";

/**
 * Resolves to a call of the first graph that has loaded, once the deployment's code is ready; undefined if no graph has
 * loaded. Stays pending until the code is ready.
 */
export async function tryItLine(
  deployment: Deployment,
  { url, keyed }: { url: string; keyed: boolean },
): Promise<string | undefined> {
  await loaded(deployment);
  const graphs = deployment.worker.graphs();
  const assistant = Object.keys(deployment.config?.graphs ?? {}).find((name) =>
    graphs.some(({ graph, error }) => graph === name && !error),
  );
  if (assistant === undefined) return undefined;
  const [question = ""] = startersOf(deployment.config, assistant);
  // A graph whose schema cannot be read gets messages, which most graphs take.
  const schema = await readIoSchemas(deployment, assistant).then(
    ({ input }) => input,
    () => undefined,
  );
  return plain(curlLine({ url, assistant, input: exampleInput(schema, question), keyed }));
}

async function loaded({ worker }: Deployment): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (worker.state().status === "ready") resolve();
  };
  const stop = worker.onChange(check);
  check();
  await promise;
  stop();
}
