/** The call that `npm start` prints for the terminal: of a graph that the application has, with an input that it takes. */
import { exampleInput } from "../client/example-input.ts";
import { curlLine } from "../client/quick-start.ts";
import { readIoSchemas } from "../engine/assistants.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import { startersOf } from "../rules/graphs/starters.ts";
import { plain } from "../rules/text/terminal-text.ts";

/**
 * Resolves to the call once the deployment's code has loaded, with its first graph that did; undefined where none did.
 * Stays pending while the code does not load.
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
  // A graph whose schema cannot be read is asked in messages, as most are.
  const schema = await readIoSchemas(deployment, assistant).then(
    ({ input }) => input,
    () => undefined,
  );
  return plain(curlLine({ url, assistant, input: exampleInput(schema, question), keyed }));
}

async function loaded({ worker }: Deployment): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (worker.state().status === "ready") resolve();
  };
  const stop = worker.onChange(look);
  look();
  await promise;
  stop();
}
