import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import type { JsonObject } from "../../../lib/protocol/json.ts";
import { cardForAll, type CardFacts, cardV1 } from "../../../lib/rules/agent-card/card.ts";
import { checkCard, type CardCheckId, type ServedCard } from "../../../lib/rules/agent-card/checks.ts";

const origin = "https://agents.test";
const facts: CardFacts = {
  assistant: { assistant_id: "a", graph_id: "echo", name: "echo", description: null, version: 1, metadata: {} },
  config: AppConfig.parse({ graphs: { echo: "./a.ts:graph" } }),
  url: `${origin}/agents/default/a2a/echo`,
  graphInterface: { takes: "messages" },
  keyed: true,
  pushes: true,
};
const wire = (card: JsonObject): JsonObject => structuredClone(JSON.parse(JSON.stringify(card)));
const good: ServedCard = {
  forAll: wire(cardForAll(facts)),
  v1: wire(cardV1(facts)),
  origin,
  etag: 'W/"1"',
  statusAgain: 304,
};
const forAll = good.forAll as JsonObject;
const v1 = good.v1 as JsonObject;

const failing = (served: ServedCard): CardCheckId[] =>
  checkCard(served).flatMap(({ id, result }) => (result === "failed" ? [id] : []));
const without = (card: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(card).filter(([name]) => name !== member));
const changed = (path: readonly (string | number)[], value: unknown): ServedCard => {
  const change = (card: JsonObject): JsonObject => {
    const copy = structuredClone(card);
    const inner = path.slice(0, -1).reduce((at, key) => (at as Record<string | number, JsonObject>)[key] ?? {}, copy);
    if (value === undefined) delete inner[path.at(-1) ?? ""];
    else inner[path.at(-1) ?? ""] = value;
    return copy;
  };
  return { ...good, forAll: change(forAll), v1: change(v1) };
};

describe("the checks of a card", () => {
  it("pass for our own cards, with and without a key, at any address", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.webUrl({ withFragments: false }), (keyed, pushes, at) => {
        const url = `${at.replace(/\/+$/, "")}/a2a/echo`;
        const one = { ...facts, keyed, pushes, url };
        const served = { ...good, forAll: wire(cardForAll(one)), v1: wire(cardV1(one)), origin: new URL(url).origin };
        expect(failing(served)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it("advise push notifications where they are off", () => {
    const off = checkCard(changed(["capabilities", "pushNotifications"], false)).find(({ id }) => id === "push");
    expect(off?.result).toBe("advice");
    expect(off?.fix).toContain("http.a2a.push_notifications");
    expect(checkCard(good).every(({ result, fix }) => result === "passed" && fix === undefined)).toBe(true);
  });

  it.each<[string, CardCheckId[]]>([
    ["name", ["v0.3", "v1.0"]],
    ["description", ["v0.3", "v1.0"]],
    ["version", ["v0.3", "v1.0"]],
    ["capabilities", ["v0.3", "v1.0", "streaming"]],
    ["defaultInputModes", ["v0.3", "v1.0"]],
    ["defaultOutputModes", ["v0.3", "v1.0"]],
    ["skills", ["v0.3", "v1.0", "skills"]],
    ["url", ["v0.3"]],
    ["protocolVersion", ["v0.3"]],
    ["preferredTransport", ["v0.3"]],
    ["supportedInterfaces", ["v1.0", "versions"]],
    ["securitySchemes", ["security"]],
    ["security", ["security"]],
    ["securityRequirements", ["security"]],
  ])("without %s fail only where it is required, and name it", (member, expected) => {
    const checks = checkCard({ ...good, forAll: without(forAll, member), v1: without(v1, member) });
    expect(checks.filter(({ result }) => result === "failed").map(({ id }) => id)).toEqual(expected);
    for (const check of checks.filter(({ id }) => id === "v0.3" || id === "v1.0")) {
      if (check.result === "failed") expect(check.found).toBe(`no ${member}`);
      expect(check.fix === undefined).toBe(check.result === "passed");
    }
  });

  it.each<[string, ServedCard, CardCheckId[]]>([
    ["an address of another host", { ...good, origin: "http://localhost:2024" }, ["origin"]],
    ["the same host without TLS", { ...good, origin: "http://agents.test" }, ["origin"]],
    ["an address with a final slash", changed(["supportedInterfaces", 0, "url"], `${facts.url}/`), ["addresses"]],
    ["an address without a host", changed(["supportedInterfaces", 0, "url"], "/a2a/echo"), ["addresses"]],
    ["a version with a patch number", changed(["supportedInterfaces", 0, "protocolVersion"], "1.0.0"), ["versions"]],
    ["another binding", changed(["supportedInterfaces", 1, "protocolBinding"], "GRPC"), ["versions"]],
    ["no skill", changed(["skills"], []), ["v0.3", "v1.0", "skills"]],
    ["a skill without tags", changed(["skills", 0, "tags"], []), ["skills"]],
    ["a skill without a description", changed(["skills", 0, "description"], undefined), ["skills"]],
    ["a mode that is no media type", changed(["defaultInputModes"], ["text"]), ["modes"]],
    ["no streaming", changed(["capabilities", "streaming"], false), ["streaming"]],
    ["a scheme of v0.3 only", changed(["securitySchemes"], { apiKey: { type: "apiKey" } }), ["security"]],
    ["a requirement of no scheme", changed(["securitySchemes"], {}), ["security"]],
    ["members of v0.3 for a client that requests v1.0", { ...good, v1: { ...v1, url: facts.url } }, ["pure"]],
    ["no tag", { ...good, etag: undefined, statusAgain: undefined }, ["caching"]],
    ["a tag that is not looked at", { ...good, statusAgain: 200 }, ["caching"]],
  ])("with %s fail there and nowhere else, with a fix", (_, served, expected) => {
    expect(failing(served)).toEqual(expected);
    for (const { result, found, fix } of checkCard(served)) {
      if (result === "failed") expect([found, fix].every((words) => (words ?? "") !== "")).toBe(true);
    }
  });

  it("are the same list for any JSON that was served as a card", () => {
    const ids = checkCard(good).map(({ id }) => id);
    const status = fc.option(fc.integer(), { nil: undefined });
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), status, (all, one, etag, statusAgain) => {
        expect(checkCard({ forAll: all, v1: one, origin, etag, statusAgain }).map(({ id }) => id)).toEqual(ids);
      }),
    );
    expect(failing({ ...good, forAll: null, v1: [] })).toContain("v1.0");
  });
});
