/** Cards by the official A2A client for Python: found, checked by its own verifier, and used to show a key. */
import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { describeClients, pieced, type Thrown, told, type WireTask } from "./python-clients.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const KEY = "secret key of 32 characters or more";

const env = { GRAPHLIB_API_KEY: KEY, GRAPHLIB_CARD_KEY: PEM, GRAPHLIB_A2A_PUSH: "true" };
const server = useServer({ app: resolve(import.meta.dirname, "apps/carded"), env });
/** An assistant whose card has more than ASCII, an empty member and modes of its own. */
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
  /** Where messages go, in v0.3. */
  url?: string;
  supportedInterfaces?: { url: string; protocolVersion: string }[];
  capabilities: object;
  signatures: object[];
}
/** What `python/a2a_cards.py` prints. Its verifier throws where no signature of a card is good. */
interface Seen {
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

/** Base and relative path of a card, and where its messages go. */
const places: [string, string | null, string][] = [
  ["/a2a/support", null, "/a2a/support"],
  ["/a2a/support/", null, "/a2a/support"],
  ["", "/.well-known/agent-card.json?assistant_id=support", "/a2a/support"],
  ["/api/v1", "/a2a/support/.well-known/agent.json", "/api/v1/a2a/support"],
  ["/agents/default/api/v1/a2a/support", null, "/agents/default/api/v1/a2a/support"],
];
const nowhere = [["/a2a/nobody"], ["/a2a"], [""]].map(([base]) => [base, null]);

describeClients(({ named, protocol, run }) => {
  let seen: Seen;
  beforeAll(async () => {
    const asked = [...places.map(([base, path]) => [base, path]), [`/a2a/${accented}`, null]];
    seen = (await run("a2a_cards", { server: server.url, places: asked, nowhere, key: KEY })) as Seen;
  });

  test("resolves the card from an agent's address and by a path with a query, and accepts its signature", () => {
    const urls = seen.cards.map(({ url, supportedInterfaces: [first] = [] }) => url ?? first?.url);
    const expected = [...places.map(([, , path]) => path), `/a2a/${accented}`].map((path) => server.url + path);
    expect(urls).toEqual(expected);
    expect(seen.cards[0]).toMatchObject({ name: "Support bot", skills: [{ id: "faq" }] });
  });

  test("accepts the signature of a card that has more than ASCII", () => {
    expect(seen.cards.at(-1)).toMatchObject({ name: "Unterstützung 🙂", signatures: [{}, {}, {}] });
  });

  test("accepts no signature of a card that somebody has changed", () => {
    expect(seen.forged.type).toBe("InvalidSignaturesError");
  });

  test.runIf(named)("gets a card of v1.0 alone where it asks for it, with a good signature", () => {
    expect(seen.asked_for_v1?.supportedInterfaces?.map(({ protocolVersion }) => protocolVersion)).toEqual([
      "1.0",
      "0.3",
    ]);
    expect(seen.asked_for_v1?.capabilities).toEqual({
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
    });
  });

  test("is told where there is no card", () => {
    const type = named ? "AgentCardResolutionError" : "A2AClientHTTPError";
    expect(seen.nowhere.map((one) => one.type)).toEqual([type, type, type]);
    const statuses = seen.nowhere.map(({ message }) => /Client error '(\d+)/.exec(message)?.[1]);
    expect(statuses).toEqual(["404", "404", "400"]);
  });

  test("shows its key as the card says, and is let in", () => {
    expect(told(seen.keyed.sent)).toMatchObject({ state: "completed", reply: "hi" });
    expect(pieced(seen.keyed.streamed)).toBe("hi");
  });

  test("throws the HTTP status where it shows no key or a wrong one", () => {
    const { without, wrong, wrong_streamed } = seen.keyed;
    const type = named ? "A2AClientError" : "A2AClientHTTPError";
    const thrown = { type, message: expect.stringMatching(/^HTTP Error:? 401/) };
    expect([without, wrong, wrong_streamed]).toMatchObject([thrown, thrown, thrown]);
  });

  test("gets the extended card with its key, and accepts its signature where it can check it", () => {
    const { extended, extended_unchecked } = seen.keyed;
    const skills = [{ id: "faq" }, { id: "refund" }];
    expect(extended_unchecked).toMatchObject({ skills });
    // Where 1.x speaks v0.3 it checks what it has made of the card for itself, which no server signs.
    if (named && protocol === "0.3") expect(extended.type).toBe("InvalidSignaturesError");
    else expect(extended.answer).toMatchObject({ skills });
  });
});
