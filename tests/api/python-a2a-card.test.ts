/**
 * Tests agent cards with the official A2A client for Python: it finds them, verifies them and sends the key that they
 * require.
 */
import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { describeClients, joined, type Thrown, summary, type WireTask } from "./python-clients.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const KEY = "secret key of 32 characters or more";

const env = { GRAPHLIB_API_KEY: KEY, GRAPHLIB_CARD_KEY: PEM, GRAPHLIB_A2A_PUSH: "true" };
const server = useServer({ app: resolve(import.meta.dirname, "apps/carded"), env });
/** An assistant whose card has more than ASCII, an empty member and its own modes. */
let accented: string;
beforeAll(async () => {
  const skills = [{ id: "x", name: "Ä", description: "x\u007f ünïcödé 🙂", tags: ["ß"], examples: [""] }];
  const a2a = { name: "Unterstützung 🙂", skills, input_modes: ["image/*"], output_modes: ["text/plain"] };
  const body = JSON.stringify({ graph_id: "support", metadata: { a2a } });
  const made = await raw(`${server.url}/assistants`, { headers: { "x-api-key": KEY }, body });
  accented = json<{ assistant_id: string }>(made).assistant_id;
});

interface Card {
  name: string;
  skills: { id: string }[];
  /** The address of messages, in v0.3. */
  url?: string;
  supportedInterfaces?: { url: string; protocolVersion: string }[];
  capabilities: object;
  signatures: object[];
}
/** The output of `python/a2a_cards.py`. Its verifier throws when no signature of a card is valid. */
interface CardsOutput {
  cards: Card[];
  asked_for_v1: Card | null;
  nowhere: Thrown[];
  forged: Thrown;
  keyed: {
    without: Thrown;
    wrong: Thrown;
    wrong_streamed: Thrown;
    sent: WireTask;
    streamed: unknown[];
    extended: Thrown & { answer?: Card };
    extended_unchecked: Card;
  };
}

/** Base and relative path of a card, and the address of its messages. */
const places: [string, string | null, string][] = [
  ["/a2a/support", null, "/a2a/support"],
  ["/a2a/support/", null, "/a2a/support"],
  ["", "/.well-known/agent-card.json?assistant_id=support", "/a2a/support"],
  ["/api/v1", "/a2a/support/.well-known/agent.json", "/api/v1/a2a/support"],
  ["/agents/default/api/v1/a2a/support", null, "/agents/default/api/v1/a2a/support"],
];
const nowhere = [["/a2a/nobody"], ["/a2a"], [""]].map(([base]) => [base, null]);

describeClients(({ named, protocol, run }) => {
  let output: CardsOutput;
  beforeAll(async () => {
    const addresses = [...places.map(([base, path]) => [base, path]), [`/a2a/${accented}`, null]];
    output = (await run("a2a_cards", { server: server.url, places: addresses, nowhere, key: KEY })) as CardsOutput;
  });

  test("finds the card from an agent's address and by a path with a query, and accepts its signature", () => {
    const urls = output.cards.map(({ url, supportedInterfaces: [first] = [] }) => url ?? first?.url);
    const expected = [...places.map(([, , path]) => path), `/a2a/${accented}`].map((path) => server.url + path);
    expect(urls).toEqual(expected);
    expect(output.cards[0]).toMatchObject({ name: "Support bot", skills: [{ id: "faq" }] });
  });

  test("accepts the signature of a card with more than ASCII", () => {
    expect(output.cards.at(-1)).toMatchObject({ name: "Unterstützung 🙂", signatures: [{}, {}, {}] });
  });

  test("rejects the signature of a changed card", () => {
    expect(output.forged.type).toBe("InvalidSignaturesError");
  });

  test.runIf(named)("receives a card of v1.0 where it requests one, with a valid signature", () => {
    expect(output.asked_for_v1?.supportedInterfaces?.map(({ protocolVersion }) => protocolVersion)).toEqual([
      "1.0",
      "0.3",
    ]);
    expect(output.asked_for_v1?.capabilities).toEqual({
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
    });
  });

  test("gets a 404 or 400 where there is no card", () => {
    const type = named ? "AgentCardResolutionError" : "A2AClientHTTPError";
    expect(output.nowhere.map((one) => one.type)).toEqual([type, type, type]);
    const statuses = output.nowhere.map(({ message }) => /Client error '(\d+)/.exec(message)?.[1]);
    expect(statuses).toEqual(["404", "404", "400"]);
  });

  test("sends its key as the card requires, and is accepted", () => {
    expect(summary(output.keyed.sent)).toMatchObject({ state: "completed", reply: "hi" });
    expect(joined(output.keyed.streamed)).toBe("hi");
  });

  test("throws the HTTP status without a key or with a wrong one", () => {
    const { without, wrong, wrong_streamed } = output.keyed;
    const type = named ? "A2AClientError" : "A2AClientHTTPError";
    const thrown = { type, message: expect.stringMatching(/^HTTP Error:? 401/) };
    expect([without, wrong, wrong_streamed]).toMatchObject([thrown, thrown, thrown]);
  });

  test("receives the extended card with its key, and accepts the signature where it can verify it", () => {
    const { extended, extended_unchecked } = output.keyed;
    const skills = [{ id: "faq" }, { id: "refund" }];
    expect(extended_unchecked).toMatchObject({ skills });
    // In v0.3, the client 1.x verifies its own conversion of the card, which no server signs.
    if (named && protocol === "0.3") expect(extended.type).toBe("InvalidSignaturesError");
    else expect(extended.answer).toMatchObject({ skills });
  });
});
