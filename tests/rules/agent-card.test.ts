import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { a2aUrl, cardForAll, cardV1, type CardFacts } from "../../lib/rules/agent-card.ts";
import { Card10, CardForAll } from "../protocol/a2a-schemas.ts";

const name = fc.string({ minLength: 1, maxLength: 20 });
const facts: fc.Arbitrary<CardFacts> = fc.record({
  assistant: fc.record({
    assistant_id: fc.uuid(),
    name,
    description: fc.option(fc.string()),
    version: fc.integer({ min: 1 }),
  }),
  graphDescription: fc.option(fc.string(), { nil: undefined }),
  url: fc.webUrl({ withFragments: false }).map((url) => `${url.replace(/\/+$/, "")}/a2a/x`),
  intake: fc.constantFrom(
    { takes: "messages" as const },
    { takes: "data" as const },
    { takes: "unknown" as const },
    { takes: "text" as const, property: "topic" },
  ),
  secured: fc.boolean(),
});

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a card", () => {
  it("of v1.0 holds nothing that v1.0 does not know", () => {
    fc.assert(
      fc.property(facts, (one) => {
        expect(Card10.safeParse(wire(cardV1(one))).error).toBeUndefined();
      }),
    );
  });

  it("for all clients holds the members of both generations and no others", () => {
    fc.assert(
      fc.property(facts, (one) => {
        expect(CardForAll.safeParse(wire(cardForAll(one))).error).toBeUndefined();
      }),
    );
  });

  it("names one address throughout, and asks for a key only where one is needed", () => {
    fc.assert(
      fc.property(facts, (one) => {
        const card = CardForAll.parse(wire(cardForAll(one)));
        const urls = [
          card.url,
          ...card.additionalInterfaces.map((i) => i.url),
          ...card.supportedInterfaces.map((i) => i.url),
        ];
        expect(new Set(urls)).toEqual(new Set([one.url]));
        const security = [card.securitySchemes, card.security, card.securityRequirements];
        expect(security.map((member) => member !== undefined)).toEqual([one.secured, one.secured, one.secured]);
      }),
    );
  });

  const about = (description: string | null, graphDescription?: string) =>
    cardV1({
      assistant: { assistant_id: "a", name: "echo", description, version: 3 },
      graphDescription,
      url: "http://h/a2a/echo",
      intake: { takes: "messages" },
      secured: false,
    });

  it("describes the assistant in its own words, else the graph's, else by its name", () => {
    expect([about("Own", "Graph"), about(" ", "Graph"), about(null)].map((card) => card.description)).toEqual([
      "Own",
      "Graph",
      "echo assistant",
    ]);
    expect(about(null).version).toBe("3");
  });
});

describe("an assistant's address", () => {
  const at = (base: string, path: string, deployment = "default", assistant = "echo") =>
    a2aUrl({ base, path, deployment, assistant });

  it.each([
    ["the root", at("http://h:1", "/.well-known/agent-card.json"), "http://h:1/a2a/echo"],
    [
      "its path",
      at("http://h", "/agents/default/a2a/echo/.well-known/agent-card.json"),
      "http://h/agents/default/a2a/echo",
    ],
    [
      "its host",
      at("http://shop.agents.h", "/a2a/echo/.well-known/agent-card.json", "shop"),
      "http://shop.agents.h/a2a/echo",
    ],
    [
      "its host, behind a public address that is another",
      at("https://pub", "/a2a/echo/.well-known/agent-card.json", "shop"),
      "https://pub/agents/shop/a2a/echo",
    ],
    [
      "the path of another deployment's name",
      at("http://h", "/agents/shopping/x", "shop"),
      "http://h/agents/shop/a2a/echo",
    ],
    ["a name that needs escapes", at("http://h", "/", "default", "a b/c"), "http://h/a2a/a%20b%2Fc"],
  ])("by %s", (_, url, expected) => {
    expect(url).toBe(expected);
  });
});
