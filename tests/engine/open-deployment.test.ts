import { expect, it } from "vitest";
import { createDueEvents } from "../../lib/engine/deployment-loops.ts";
import { assembleDeployment, codeParts } from "../../lib/engine/open-deployment.ts";
import { AppConfig } from "../../lib/protocol/config.ts";
import { serveForTest } from "./served.ts";

it("a deployment has the parts of the code that it serves last, and none of the code before", async () => {
  const { platform, deployment: served, close } = await serveForTest();
  const { outgoing, pushOutgoing } = served;
  const first = { config: undefined, problem: "no code", unfenced: "no fence", outgoing, pushOutgoing };
  const parts = { ...served, stores: served, code: first, due: createDueEvents(), allowPush: true };
  const deployment = assembleDeployment(platform, parts);
  const { identityCache } = deployment;
  expect(deployment).toMatchObject({ problem: "no code", unfenced: "no fence", pushEnabled: false });
  const http = { a2a: { push_notifications: true } };
  const config = AppConfig.parse({ graphs: { agent: "./agent.ts:graph" }, http });
  Object.assign(deployment, codeParts(platform, { config, problem: undefined, outgoing, pushOutgoing }));
  expect(deployment).toMatchObject({ config, problem: undefined, unfenced: undefined, pushEnabled: true });
  expect([...deployment.systemAssistants.keys()]).toEqual(["agent"]);
  expect(deployment.identityCache).not.toBe(identityCache);
  await close();
});
