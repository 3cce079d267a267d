import { expect, test } from "vitest";
import { type FollowedDeployment, textOfStates } from "../../lib/client/follow-deployments.ts";

test("a server that comes or goes changes no state of a deployment", () => {
  const ready: FollowedDeployment = { name: "bot", status: "ready", live: { number: 1 }, newest: null };
  const server = { id: "1", host: "one", roles: ["api"], revision: 1, status: "ready" } as const;
  expect(textOfStates([{ ...ready, servers: [{ ...server, roles: ["api"] }] }])).toBe(textOfStates([ready]));
  expect(textOfStates([{ ...ready, status: "updating" }])).not.toBe(textOfStates([ready]));
  expect(textOfStates([{ ...ready, live: { number: 2 } }])).not.toBe(textOfStates([ready]));
});
