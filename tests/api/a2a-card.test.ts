import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Card10, CardForAll } from "../protocol/card-schemas.ts";
import { json, raw } from "../support/raw.ts";
import { startServer } from "../support/server.ts";
import { type UsedServer, useServer } from "../support/use-server.ts";

const app = (name: string): string => resolve(import.meta.dirname, "apps", name);

const server = useServer({ app: app("a2a") });
const guarded = useServer({
  app: app("one"),
  env: { GRAPHLIB_API_KEY: "secret key of 32 characters or more", PUBLIC_URL: "https://agents.example.com/" },
});
const one = useServer({ app: app("one"), env: { TRUST_PROXY: "true" } });
const off = useServer({ app: app("a2a-off") });

const ofWords = "/.well-known/agent-card.json?assistant_id=words";
const V1 = { "a2a-version": "1.0" };

describe("the card", () => {
  test("has the members of both generations and no others", async () => {
    const card = CardForAll.parse(json(await raw(server.url + ofWords)));
    expect(card).toMatchObject({ name: "words", description: "Streams a long reply", url: `${server.url}/a2a/words` });
    expect(card.skills[0]?.tags.length).toBeGreaterThan(0);
  });

  test.each([
    ["by header", ofWords, V1],
    ["with a patch number", ofWords, { "a2a-version": "1.0.1" }],
    ["by query", `${ofWords}&A2A-Version=1.0`, {}],
  ])("is pure v1.0 when it is requested %s", async (_, path, headers) => {
    expect(Card10.safeParse(json(await raw(server.url + path, { headers }))).error).toBeUndefined();
  });

  test("is the card for all clients under any other version", async () => {
    for (const version of ["0.3", "0.3.0", "9.9"]) {
      const answer = await raw(server.url + ofWords, { headers: { "a2a-version": version } });
      expect(CardForAll.safeParse(json(answer)).error).toBeUndefined();
    }
  });

  const addresses: [string, string, Record<string, string>, (origin: string) => string][] = [
    ["the root", ofWords, {}, (origin) => `${origin}/a2a/words`],
    ["the agent", "/a2a/words/.well-known/agent-card.json", {}, (origin) => `${origin}/a2a/words`],
    ["the agent, where 0.2 clients look", "/a2a/words/.well-known/agent.json", {}, (origin) => `${origin}/a2a/words`],
    [
      "the deployment's path",
      "/agents/default/a2a/words/.well-known/agent-card.json",
      {},
      (origin) => `${origin}/agents/default/a2a/words`,
    ],
    [
      "the deployment's host",
      "/a2a/words/.well-known/agent-card.json",
      { host: "default.agents.localhost:8080" },
      () => "http://default.agents.localhost:8080/a2a/words",
    ],
  ];

  test.each(addresses)("fetched at %s has the address that works there", async (_, path, headers, expected) => {
    const card = json<{ url: string }>(await raw(server.url + path, { headers }));
    expect(card.url).toBe(expected(server.url));
    const { pathname } = new URL(card.url);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "none" } });
    const answer = await raw(server.url + pathname, { headers, body });
    expect(json(answer)).toMatchObject({ id: 1, error: { code: -32001 } });
  });

  test("has the assistant's name and the identifier of its address", async () => {
    const byName = json<{ skills: { id: string }[] }>(await raw(server.url + ofWords));
    const id = byName.skills[0]?.id.replace("-main", "") ?? "";
    const card = json(await raw(`${server.url}/a2a/${id}/.well-known/agent-card.json`));
    expect(card).toMatchObject({ name: "words", url: `${server.url}/a2a/${id}` });
  });

  test("lists only the input modes of the graph", async () => {
    const modes = async (graph: string) =>
      json<{ defaultInputModes: string[] }>(await raw(`${server.url}/a2a/${graph}/.well-known/agent-card.json`))
        .defaultInputModes;
    // A card waits only briefly for the worker's description of a graph. Without it the card lists less, and more the
    // next time.
    const settled = (graph: string) => expect.poll(() => modes(graph), { timeout: 30_000 });
    await settled("form").toEqual(["application/json"]);
    await settled("topic").toEqual(["text/plain", "application/json"]);
    await settled("words").toEqual(["text/plain", "application/json"]);
  });
});

describe("a card's address", () => {
  test("is the public one where PUBLIC_URL is set, and the card requires the key", async () => {
    const answer = await raw(`${guarded.url}/.well-known/agent-card.json`);
    const card = CardForAll.parse(json(answer));
    expect(card.url).toBe("https://agents.example.com/a2a/only");
    expect(card).toMatchObject({
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      security: [{ apiKey: [] }],
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    });
    Card10.parse(json(await raw(`${guarded.url}/.well-known/agent-card.json`, { headers: V1 })));
  });

  test("is the proxy's only where the proxy is trusted", async () => {
    const headers = { "x-forwarded-host": "pub.example.com", "x-forwarded-proto": "https, http" };
    const url = async (at: UsedServer, path: string) =>
      json<{ url: string }>(await raw(at.url + path, { headers })).url;
    expect(await url(one, "/.well-known/agent-card.json")).toBe("https://pub.example.com/a2a/only");
    expect(await url(server, ofWords)).toBe(`${server.url}/a2a/words`);
  });
});

test("a card requires the authentication that the application declares", async () => {
  const own = await startServer({ app: app("guarded") });
  const authorizationCode = {
    authorizationUrl: "https://login.example.com/authorize",
    tokenUrl: "https://login.example.com/token",
    scopes: { talk: "Talk to it" },
  };
  const token = { httpAuthSecurityScheme: { scheme: "bearer" } };
  const login = { oauth2SecurityScheme: { flows: { authorizationCode } } };
  const securityRequirements = [{ schemes: { token: { list: [] } } }, { schemes: { login: { list: ["talk"] } } }];
  const v1 = Card10.parse(json(await raw(`${own.url}/a2a/told`, { headers: V1 })));
  expect(v1).toMatchObject({ securitySchemes: { token, login }, securityRequirements });
  expect(CardForAll.parse(json(await raw(`${own.url}/a2a/told`)))).toMatchObject({
    securitySchemes: {
      token: { type: "http", scheme: "bearer", ...token },
      login: { type: "oauth2", flows: { authorizationCode }, ...login },
    },
    security: [{ token: [] }, { login: ["talk"] }],
    securityRequirements,
  });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "none" } });
  const request = (headers = {}) => raw(`${own.url}/a2a/told`, { headers, body });
  expect([(await request()).status, (await request({ authorization: "Bearer ada" })).status]).toEqual([401, 200]);
  await own.stop();
});

describe("caching", () => {
  test("an unchanged card is answered with 304", async () => {
    const first = await raw(server.url + ofWords);
    const { etag = "" } = first.headers;
    expect(first.headers["cache-control"]).toBe("public, max-age=60");
    expect(String(first.headers.vary)).toContain("A2A-Version");
    for (const tags of [etag, `"x", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = await raw(server.url + ofWords, { headers: { "if-none-match": tags } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    }
    expect((await raw(server.url + ofWords, { headers: { "if-none-match": '"x"' } })).status).toBe(200);
    expect((await raw(server.url + ofWords, { headers: V1 })).headers.etag).not.toBe(etag);
  });
});

describe("there is no card", () => {
  test("without a name where there are several assistants, but there is one for a single assistant", async () => {
    const answer = await raw(`${server.url}/.well-known/agent-card.json`);
    expect(answer.status).toBe(400);
    expect(json(answer)).toEqual({
      detail: "assistant_id query parameter is required; see /a2a/{assistant_id}/.well-known/agent-card.json",
    });
    expect(json(await raw(`${one.url}/.well-known/agent-card.json`))).toMatchObject({ name: "only" });
  });

  test("of an unknown assistant", async () => {
    for (const path of [
      "/a2a/nobody/.well-known/agent-card.json",
      "/.well-known/agent-card.json?assistant_id=nobody",
    ]) {
      const answer = await raw(server.url + path);
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('No assistant found for "nobody"')]);
    }
  });

  test("at the address without the final slash, and the answer has a hint", async () => {
    const answer = await raw(`${server.url}/a2a/.well-known/agent-card.json`);
    expect([answer.status, json(answer)]).toEqual([404, { detail: expect.stringContaining("final slash") }]);
  });

  test("nor an endpoint where the application has switched A2A off", async () => {
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: {} });
    for (const answer of [
      await raw(`${off.url}/a2a/only`, { body: call }),
      await raw(`${off.url}/a2a/only`),
      await raw(`${off.url}/.well-known/jwks.json`),
      await raw(`${off.url}/a2a/only/.well-known/agent-card.json`),
      await raw(`${off.url}/.well-known/agent-card.json?assistant_id=only`),
      await raw(`${off.url}/.well-known/agent-card.json`),
      await raw(`${off.url}/a2a/.well-known/agent-card.json`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(json(await raw(`${off.url}/info`))).toMatchObject({ flags: { a2a: false } });
  });
});
