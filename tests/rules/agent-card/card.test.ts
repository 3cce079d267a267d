import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { cardForAll, cardV03, cardV1, type CardFacts } from "../../../lib/rules/agent-card/card.ts";
import { signedTexts } from "../../../lib/rules/agent-card/canonical.ts";
import { Card03, Card10, CardForAll } from "../../protocol/card-schemas.ts";
import { canonicalizeAgentCard, type AgentCard } from "@a2a-js/sdk";

const path = "./a.ts:graph";
const half = fc.constantFrom("\ud800", "a\udc00b");
const text = fc.oneof(fc.string({ maxLength: 20 }), half, fc.constantFrom("", " ", "Support"));
const url = fc.oneof(fc.webUrl(), fc.constantFrom("http://", "javascript:alert(1)", "/docs"));
const modes = fc.oneof(fc.array(fc.constantFrom("image/*", "text/plain", "*/*", "image", 5)), fc.string());
const skill = fc.record(
  {
    id: text,
    name: text,
    description: text,
    tags: fc.array(text, { maxLength: 2 }),
    examples: fc.array(text),
    inputModes: modes,
  },
  { requiredKeys: ["id", "name", "description"] },
);
const members = {
  name: fc.oneof(text, fc.jsonValue()),
  description: text,
  version: fc.oneof(text, fc.integer()),
  provider: fc.oneof(fc.record({ organization: text, url }), fc.jsonValue()),
  documentation_url: url,
  documentationUrl: url,
  icon_url: fc.oneof(url, fc.jsonValue()),
  input_modes: modes,
  outputModes: modes,
  skills: fc.oneof(fc.array(fc.oneof(skill, fc.jsonValue()), { maxLength: 4 }), fc.jsonValue()),
  odd: fc.jsonValue(),
};
const settings = fc.record(members, { requiredKeys: [] });
/** Any value that a caller may write into an assistant's metadata. */
const metadata = fc.oneof(
  fc.record({ a2a: fc.record({ ...members, extended: fc.oneof(settings, fc.jsonValue()) }, { requiredKeys: [] }) }),
  fc.dictionary(fc.constantFrom("a2a", "other"), fc.jsonValue()),
);

const schemes = {
  key: { type: "apiKey", in: "query", name: "k", "x-own": 1 },
  token: { type: "http", scheme: "Bearer", bearerFormat: "JWT" },
  login: {
    type: "oauth2",
    flows: {
      implicit: { authorizationUrl: "https://h/a", scopes: { all: "Everything" } },
      clientCredentials: { tokenUrl: "https://h/t" },
    },
  },
  open: { type: "openIdConnect", openIdConnectUrl: "https://h/o", description: "Ours" },
  tls: { type: "mutualTLS" },
  foreign: { type: "carrier pigeon" },
  broken: { type: "http" },
};
const openapi = fc.record(
  {
    securitySchemes: fc.subarray(Object.entries(schemes)).map((some) => Object.fromEntries(some)),
    security: fc.array(
      fc.dictionary(fc.constantFrom(...Object.keys(schemes)), fc.array(fc.constantFrom("all", "some"))),
    ),
  },
  { requiredKeys: [] },
);
const usable = { name: "Ours", skills: [{ id: "s", name: "S", description: "Does it" }] };
const config = fc
  .record(
    {
      graphs: fc.constantFrom(
        { echo: path },
        { echo: { path, description: "Graph", a2a: { ...usable, extended: usable } } },
      ),
      http: fc.constantFrom({}, { a2a: { card: usable } }),
      auth: fc.record({ path: fc.constant(path), openapi }, { requiredKeys: ["path"] }),
    },
    { requiredKeys: ["graphs"] },
  )
  .map((written) => AppConfig.parse(written));

const facts: fc.Arbitrary<CardFacts> = fc.record({
  assistant: fc.record({
    assistant_id: fc.uuid(),
    graph_id: fc.constantFrom("echo", "gone", "constructor"),
    name: text,
    description: fc.option(text),
    version: fc.integer({ min: 1 }),
    metadata,
  }),
  config: fc.option(config, { nil: undefined }),
  url: fc.webUrl({ withFragments: false }).map((at) => `${at.replace(/\/+$/, "")}/a2a/x`),
  graphInterface: fc.constantFrom(
    { takes: "messages" as const },
    { takes: "data" as const },
    { takes: "unknown" as const },
    { takes: "text" as const, property: "topic" },
  ),
  keyed: fc.boolean(),
  pushes: fc.boolean(),
});

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const views = ["public", "extended"] as const;

describe("a card, for any metadata of its assistant,", () => {
  it("has only members of v1.0 in the form for v1.0, and only those of v0.3 in the form for v0.3", () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...views), (one, view) => {
        expect(Card10.safeParse(wire(cardV1(one, view))).error).toBeUndefined();
        expect(Card03.safeParse(wire(cardV03(one, view))).error).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("has the members of both generations and no others in the form for all clients", () => {
    fc.assert(
      fc.property(facts, (one) => {
        const card = wire(cardForAll(one));
        expect(CardForAll.safeParse(card).error).toBeUndefined();
        expect(card).toMatchObject({ name: (wire(cardV1(one)) as { name: string }).name });
      }),
      { numRuns: 300 },
    );
  });

  it("has one address throughout, and security schemes only where a key or auth is needed", () => {
    fc.assert(
      fc.property(facts, (one) => {
        const card = CardForAll.parse(wire(cardForAll(one)));
        const urls = [
          card.url,
          ...card.additionalInterfaces.map((i) => i.url),
          ...card.supportedInterfaces.map((i) => i.url),
        ];
        expect(new Set(urls)).toEqual(new Set([one.url]));
        if (!one.keyed && !one.config?.auth) {
          expect([card.securitySchemes, card.security, card.securityRequirements]).toEqual([
            undefined,
            undefined,
            undefined,
          ]);
          expect(card.supportsAuthenticatedExtendedCard).toBe(false);
        }
        expect(card.capabilities.extendedAgentCard ?? false).toBe(card.supportsAuthenticatedExtendedCard);
        for (const name of card.security?.flatMap((all) => Object.keys(all)) ?? []) {
          expect(Object.keys(card.securitySchemes ?? {})).toContain(name);
        }
      }),
    );
  });

  it("is signed over the whole document, and over the text that the official client checks", () => {
    fc.assert(
      fc.property(facts, (one) => {
        for (const card of [cardV1(one), cardForAll(one)]) {
          const texts = signedTexts(card, { v1: cardV1(one), v03: cardV03(one) });
          expect(texts).toContain(canonicalizeAgentCard(wire(card) as AgentCard));
          expect(JSON.parse(texts[0] ?? "")).toEqual(wire(card));
          expect(new Set(texts).size).toBe(texts.length);
        }
      }),
    );
  });
});

const plain: CardFacts = {
  assistant: { assistant_id: "a", graph_id: "echo", name: "echo", description: null, version: 3, metadata: {} },
  config: undefined,
  url: "http://h/a2a/echo",
  graphInterface: { takes: "messages" },
  keyed: true,
  pushes: false,
};
const withCard = (a2a: unknown, graph: object = {}, all?: object): CardFacts => ({
  ...plain,
  assistant: { ...plain.assistant, metadata: { a2a } },
  config: AppConfig.parse({ graphs: { echo: { path, ...graph } }, http: { a2a: { card: all } } }),
});

describe("the content of a card", () => {
  it("is the assistant's own description, else the graph's, else its name", () => {
    const about = (description: string | null, graph: object = {}) =>
      cardV1({ ...withCard(undefined, graph), assistant: { ...plain.assistant, description } });
    const graph = { description: "Graph" };
    expect([about("Own", graph), about(" ", graph), about(null)].map((card) => card.description)).toEqual([
      "Own",
      "Graph",
      "echo assistant",
    ]);
    expect(about(null)).toMatchObject({ version: "3", skills: [{ id: "a-main", name: "echo", tags: ["assistant"] }] });
  });

  it("comes member by member from the metadata, else the graph's configuration, else the configuration for all", () => {
    const one = withCard(
      { name: "Own", description: 5, iconUrl: "https://h/i.png", skills: [{ id: "bad" }] },
      { a2a: { name: "Graph", description: "Of the graph" } },
      {
        version: "2.0",
        provider: { organization: "We", url: "https://h" },
        skills: [{ id: "s", name: "S", description: "D" }],
      },
    );
    expect(wire(cardV1(one))).toMatchObject({
      name: "Own",
      description: "Of the graph",
      version: "2.0",
      iconUrl: "https://h/i.png",
      provider: { organization: "We", url: "https://h" },
      skills: [{ id: "s", name: "S", description: "D", tags: ["assistant"] }],
    });
  });

  it("for an authenticated caller has the extended members, which replace those of the same name", () => {
    const one = withCard({
      extended: { description: "All of it", skills: [{ id: "x", name: "X", description: "Secret" }] },
    });
    expect(JSON.stringify(cardForAll(one))).not.toContain("Secret");
    expect(cardForAll(one)).toMatchObject({ supportsAuthenticatedExtendedCard: true });
    expect(wire(cardV1(one, "extended"))).toMatchObject({
      name: "echo",
      description: "All of it",
      skills: [{ id: "a-main" }, { id: "x", name: "X" }],
    });
    expect(cardForAll({ ...one, keyed: false })).toMatchObject({ supportsAuthenticatedExtendedCard: false });
  });
});

describe("the security schemes of a card", () => {
  const card = (written?: object) =>
    wire(
      cardForAll({ ...plain, config: AppConfig.parse({ graphs: { echo: path }, auth: { path, openapi: written } }) }),
    );

  it("are the server's key, where the application declares no known scheme", () => {
    const securitySchemes = {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        apiKeySecurityScheme: { location: "header", name: "x-api-key" },
      },
    };
    for (const written of [undefined, {}, { securitySchemes: { foreign: schemes.foreign } }]) {
      expect(card(written)).toMatchObject({ securitySchemes, security: [{ apiKey: [] }] });
    }
  });

  it("are those of the application, in both forms, without requirements that name an unknown scheme", () => {
    const { login, foreign, tls } = schemes;
    const security = [
      { login: ["all"], tls: [] },
      { login: [], foreign: [] },
    ];
    expect(card({ securitySchemes: { login, foreign, tls }, security })).toMatchObject({
      securitySchemes: {
        login: {
          type: "oauth2",
          flows: { implicit: {}, clientCredentials: {} },
          oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: "https://h/t", scopes: {} } } },
        },
        tls: { type: "mutualTLS", mtlsSecurityScheme: {} },
      },
      security: [{ login: ["all"], tls: [] }],
      securityRequirements: [{ schemes: { login: { list: ["all"] }, tls: { list: [] } } }],
    });
  });
});
