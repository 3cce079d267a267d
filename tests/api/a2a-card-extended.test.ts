import { resolve } from "node:path";
import { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { ClientFactory as ClientFactory03, JsonRpcTransportFactory as Transport03 } from "a2a-sdk-v03/client";
import { expect, test } from "vitest";
import { Card03, Card10 } from "../protocol/card-schemas.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const KEY = { "x-api-key": "secret key of 32 characters or more" };
const env = { GRAPHLIB_API_KEY: KEY["x-api-key"], GRAPHLIB_A2A_PUSH: "true" };
const server = useServer({ app: resolve(import.meta.dirname, "apps/carded"), env });

const METHODS = { "1.0": "GetExtendedAgentCard", "0.3": "agent/getAuthenticatedExtendedCard" };
const request = (assistant: string, method: string, headers: Record<string, string> = KEY) =>
  raw(`${server.url}/a2a/${assistant}`, { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }) });
const skillsOf = ({ skills }: { skills: { id: string }[] }) => skills.map(({ id }) => id);
const fetchImpl: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...KEY } });

test("the extended card has the members for authenticated callers, in the generation of its method", async () => {
  const open = json<{ skills: { id: string }[] }>(await raw(`${server.url}/a2a/support`));
  expect(skillsOf(open)).toEqual(["faq"]);
  const v10 = Card10.parse(json(await request("support", METHODS["1.0"])).result);
  const v03 = Card03.parse(json(await request("support", METHODS["0.3"])).result);
  expect([skillsOf(v10), skillsOf(v03)]).toEqual([
    ["faq", "refund"],
    ["faq", "refund"],
  ]);
  expect(v03.url).toBe(`${server.url}/a2a/support`);
});

test("a caller without a key gets 401, and an assistant without an extended card an error", async () => {
  expect((await request("support", METHODS["1.0"], {})).status).toBe(401);
  expect(json(await request("plain", METHODS["1.0"]))).toMatchObject({ error: { code: -32004 } });
  expect(json(await request("plain", METHODS["0.3"]))).toMatchObject({ error: { code: -32007 } });
});

test("the official clients of both generations fetch it where the public card announces it", async () => {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
  });
  const client = await new ClientFactory(options).createFromUrl(`${server.url}/a2a/support/`);
  expect(skillsOf(AgentCard.toJSON(await client.getAgentCard()) as { skills: { id: string }[] })).toEqual([
    "faq",
    "refund",
  ]);
  const older = await new ClientFactory03({ transports: [new Transport03({ fetchImpl })] }).createFromUrl(
    `${server.url}/a2a/support/`,
  );
  expect(skillsOf(await older.getAgentCard())).toEqual(["faq", "refund"]);
});
