import { apiBase } from "#lib/client/api-base.ts";
import { exampleInput, takesMessages } from "#lib/client/example-input.ts";
import { viewDeployment } from "#lib/engine/deployments.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { startersOf } from "#lib/rules/graphs/starters.ts";
import { type Addresses, isKeyed } from "../_shell/server.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { QuickStartCard } from "./quick-start-card.tsx";

/** The quick start for one graph, with an input that the graph accepts. */
export async function QuickStartSlot({
  deployment,
  graph,
  addresses,
}: {
  deployment: Deployment;
  graph: string;
  addresses: Addresses;
}) {
  const question = startersOf(deployment.config, graph)[0] ?? "";
  const schema = await inputSchemaOf(deployment, graph);
  const start = {
    url: addresses.api,
    assistant: graph,
    ...(takesMessages(schema) && { question }),
    input: exampleInput(schema, question),
    keyed: isKeyed(),
  };
  const base = apiBase(deployment.name);
  return <QuickStartCard start={start} base={base} noA2a={whyNoA2a(deployment)} />;
}

function whyNoA2a(deployment: Deployment): string | undefined {
  if (viewDeployment(deployment).a2a) return undefined;
  return "A2A is disabled: the configuration of this application sets http.disable_a2a, or an api_version below 0.4.21.";
}
