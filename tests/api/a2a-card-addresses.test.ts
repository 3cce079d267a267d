import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { base64url, decodeProtectedHeader, flattenedVerify, type JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { Card10, CardForAll } from "../protocol/card-schemas.ts";
import { call, untilState } from "../support/control.ts";
import { json, raw } from "../support/raw.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const app = resolve(import.meta.dirname, "apps/carded");
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const KEY = { "x-api-key": "secret key of 32 characters or more" };

const env = { GRAPHLIB_API_KEY: KEY["x-api-key"], GRAPHLIB_CARD_KEY: PEM, GRAPHLIB_A2A_PUSH: "true" };
const server = useServer({ app, env: { ...env, TRUST_PROXY: "true" }, own: true });
const published = useServer({ app, env: { ...env, PUBLIC_URL: "https://pub.example.com/api/v1/" } });
beforeAll(async () => {
  const source = { type: "folder", path: app, in_place: true };
  await call(server, "POST", "/deployments", { name: "shop", source }, KEY);
  await untilState(server, "shop", ["live"], KEY);
});

const send = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "message/send",
  params: { message: { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "hello" }] } },
});

const places = [
  "/a2a/support",
  "/a2a/support/.well-known/agent-card.json",
  "/a2a/support/.well-known/agent.json",
  "/.well-known/agent-card.json?assistant_id=support",
  "/.well-known/agent.json?assistant_id=support",
];
const mounted = ["", "/api/v1"];
const named = (deployment: string): string[] => mounted.map((prefix) => `/agents/${deployment}${prefix}`);
const own = (deployment: string) => ({ host: `${deployment}.agents.localhost:8080` });
const proxy = { "x-forwarded-host": "pub.example.com", "x-forwarded-proto": "https" };

/** Each form of address: title, headers, the expected origin and the path prefixes. */
const forms: [string, Record<string, string>, string | undefined, string[]][] = [
  ["the server's address", {}, undefined, [...mounted, ...named("default"), ...named("shop")]],
  ["the default deployment's host", own("default"), `http://${own("default").host}`, mounted],
  ["another deployment's host", own("shop"), `http://${own("shop").host}`, mounted],
  ["a proxy", proxy, "https://pub.example.com", [...mounted, ...named("shop")]],
];
const addresses = forms.flatMap(([title, headers, origin, prefixes]) =>
  prefixes.map((prefix) => [title, prefix, headers, origin] as const),
);

test.each(addresses)(
  "at %s, below '%s', every card has the address at which it was requested",
  async (_, prefix, headers, origin) => {
    for (const place of places) {
      const card = CardForAll.parse(json(await raw(server.url + prefix + place, { headers })));
      expect([place, card.url]).toEqual([place, `${origin ?? server.url}${prefix}/a2a/support`]);
      const { pathname } = new URL(card.url);
      const answer = await raw(server.url + pathname, { headers: { ...headers, ...KEY }, body: send });
      expect(json(answer)).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
    }
  },
);

test("a public address that already has the prefix does not get it twice", async () => {
  for (const prefix of ["", "/api/v1"]) {
    const card = json(await raw(`${published.url}${prefix}/a2a/support`));
    expect(card.url).toBe("https://pub.example.com/api/v1/a2a/support");
  }
});

describe("a card from the configuration", () => {
  test("has the members of the graph, of all graphs and of push notifications", async () => {
    const cardOf = async (assistant: string) => json<AgentCard>(await raw(`${server.url}/a2a/${assistant}`));
    const provider = { organization: "Example", url: "https://example.com" };
    expect(await cardOf("support")).toMatchObject({
      name: "Support bot",
      version: "2.1",
      provider,
      skills: [{ id: "faq", tags: ["faq"] }],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
      supportsAuthenticatedExtendedCard: true,
    });
    expect(await cardOf("plain")).toMatchObject({ name: "plain", provider, supportsAuthenticatedExtendedCard: false });
    expect((await raw(`${server.url}/a2a/support`)).text).not.toContain("Refunds");
  });

  test("is overridden by an assistant's metadata, except for invalid members", async () => {
    const make = async (a2a: unknown): Promise<string> => {
      const body = JSON.stringify({ graph_id: "support", name: "Made", metadata: { a2a } });
      return json<{ assistant_id: string }>(await raw(`${server.url}/assistants`, { headers: KEY, body })).assistant_id;
    };
    const card = async (id: string, headers = {}) => json(await raw(`${server.url}/a2a/${id}`, { headers }));
    const skills = [{ id: "x", name: "X", description: "Of the assistant" }, "no skill"];
    const own = await make({ name: "Own", skills, input_modes: ["image/*"], outputModes: 7, icon_url: "javascript:1" });
    expect(CardForAll.parse(await card(own))).toMatchObject({
      name: "Own",
      version: "2.1",
      skills: [{ id: "x", tags: ["assistant"] }],
      defaultInputModes: ["image/*"],
    });
    for (const odd of [null, 5, "card", [], { name: {} }, { extended: 3, provider: "We", skills: [{}] }]) {
      const id = await make(odd);
      expect(CardForAll.parse(await card(id))).toMatchObject({ name: "Support bot" });
      Card10.parse(await card(id, { "a2a-version": "1.0" }));
    }
  });
});

describe("a request for a card", () => {
  test("by HEAD returns the same headers without a body, and PUT is 405", async () => {
    for (const place of places) {
      const byGet = await raw(server.url + place);
      const { status, headers, text } = await raw(server.url + place, { method: "HEAD" });
      expect([status, text, headers.etag]).toEqual([200, "", byGet.headers.etag]);
      expect(headers["last-modified"]).toMatch(/GMT$/);
    }
    expect((await raw(`${server.url}/a2a/support`, { method: "PUT" })).status).toBe(405);
  });

  test("without an assistant is 404 with a hint about the final slash", async () => {
    for (const name of ["agent-card.json", "agent.json"]) {
      const answer = await raw(`${server.url}/a2a/.well-known/${name}`);
      expect([answer.status, json(answer)]).toEqual([404, { detail: expect.stringContaining("final slash") }]);
      expect((await raw(`${server.url}/.well-known/${name}`)).status).toBe(400);
    }
  });
});

type SignedDocument = Record<string, unknown> & { signatures?: { protected: string; signature: string }[] };

/** Serializes by RFC 8785, for cards: their names are ASCII, their numbers whole. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

describe("a signature", () => {
  /** Fetches the key from the address in the signature, as a client does. */
  const fetchKey = async (headers: Record<string, string>, kid?: string, jku = ""): Promise<JWK> => {
    const { pathname } = new URL(jku);
    const { keys } = json<{ keys: JWK[] }>(await raw(server.url + pathname, { headers }));
    const key = keys.find((one) => one.kid === kid);
    if (!key) throw new Error(`no key ${kid} at ${jku}`);
    return key;
  };
  const verify = (headers: Record<string, string> = {}) =>
    verifyAgentCardSignature((kid, jku) => fetchKey(headers, kid, jku));

  /** Counts the signatures that a verifier accepts which knows only the document as it was served, not cards. */
  const acceptedWhole = async ({ signatures = [], ...document }: SignedDocument): Promise<number> => {
    const payload = base64url.encode(canonical(document));
    let count = 0;
    for (const signature of signatures) {
      const { kid, jku } = decodeProtectedHeader(signature);
      const key = await fetchKey({}, kid, jku);
      count += await flattenedVerify({ payload, ...signature }, key).then(
        () => 1,
        () => 0,
      );
    }
    return count;
  };

  test("covers every member of the served document", async () => {
    const v1 = { headers: { "a2a-version": "1.0" } };
    expect(await acceptedWhole(json<SignedDocument>(await raw(`${server.url}/a2a/support`, v1)))).toBe(1);
    const forAll = json<SignedDocument>(await raw(`${server.url}/a2a/support`));
    expect(await acceptedWhole(forAll)).toBe(1);
    for (const name of Object.keys(forAll).filter((member) => member !== "signatures")) {
      const { [name]: _, ...rest } = forAll;
      expect([name, await acceptedWhole(rest)]).toEqual([name, 0]);
    }
    expect(await acceptedWhole({ ...forAll, url: "https://elsewhere.example/a2a" })).toBe(0);
    // A client that reads only v1.0 ignores the members of v0.3.
    await verify()({ ...forAll, url: "https://elsewhere.example/a2a" } as unknown as AgentCard);
  });

  test("is accepted by the official client, at each address and in each generation", async () => {
    for (const prefix of [...mounted, ...named("default"), ...named("shop")]) {
      const resolved = await new DefaultAgentCardResolver().resolve(`${server.url}${prefix}/a2a/support/`);
      // Uses the card as it was sent: the client verifies that, not its own form of security schemes.
      await verify()(AgentCard.toJSON(resolved) as AgentCard);
      const card = json<AgentCard>(await raw(`${server.url}${prefix}/a2a/support`));
      await verify()(card);
    }
    for (const headers of [own("default"), own("shop")]) {
      await verify(headers)(json<AgentCard>(await raw(`${server.url}/a2a/support`, { headers })));
    }
    const forged = { ...json<AgentCard>(await raw(`${server.url}/a2a/support`)), name: "Other" };
    await expect(verify()(forged)).rejects.toThrow("No valid signatures");
  });

  test("has a public key at jwks.json", async () => {
    const { headers, text } = await raw(`${server.url}/.well-known/jwks.json`);
    expect(headers["content-type"]).toBe("application/jwk-set+json");
    expect(JSON.parse(text)).toEqual({
      keys: [
        {
          kty: "EC",
          crv: "P-256",
          x: expect.any(String),
          y: expect.any(String),
          alg: "ES256",
          use: "sig",
          kid: expect.any(String),
        },
      ],
    });
  });

  test("is made only with a key, and an invalid key stops the server's start with a sentence", async () => {
    const plain = await startServer({ app });
    expect(json(await raw(`${plain.url}/a2a/support`)).signatures).toBeUndefined();
    expect(json(await raw(`${plain.url}/a2a/support`))).toMatchObject({
      capabilities: { pushNotifications: false },
      supportsAuthenticatedExtendedCard: false,
    });
    expect((await raw(`${plain.url}/.well-known/jwks.json`)).status).toBe(404);
    await plain.stop();
    const broken = startServer({ app, env: { GRAPHLIB_CARD_KEY: "-----BEGIN NONSENSE-----" } });
    await expect(broken).rejects.toThrow(/GRAPHLIB_CARD_KEY: expected a private key without password, as PEM/);
    await expect(broken).rejects.not.toThrow(/ at .*\.ts/);
  });
});
