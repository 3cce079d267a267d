import { generateKeyPairSync } from "node:crypto";
import { type AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardSignerOf } from "../../lib/drivers/secrets/card-key.ts";
import { apiKeyOf } from "../../lib/drivers/secrets/api-key.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlSessions } from "../../lib/drivers/sql/platform/sessions.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { OPEN_ACCESS } from "../../lib/engine/access.ts";
import { findAssistant, updateAssistant } from "../../lib/engine/assistants.ts";
import { createKeyLockout } from "../../lib/engine/key-lockout.ts";
import type { CardSigner } from "../../lib/engine/ports/keys.ts";
import { createSessions } from "../../lib/engine/sessions.ts";
import { extendedCard, getAssistantCard } from "../../lib/http/agent-card.ts";
import { cardSecond, httpSecond } from "../../lib/http/card-dates.ts";
import { createBodyBudget } from "../../lib/http/body-budget.ts";
import type { HttpSettings } from "../../lib/http/settings.ts";
import { AppConfig } from "../../lib/protocol/config.ts";
import { type ServedForTest, serveForTest } from "../engine/served.ts";
import { Card03, Card10 } from "../protocol/card-schemas.ts";

const path = "./agent.ts:graph";
const secret = { skills: [{ id: "secret", name: "Secret", description: "Not for everybody" }] };
const config = AppConfig.parse({
  graphs: { agent: { path, a2a: { extended: secret } }, other: path },
});
const db = await openSqlite(":memory:", platformShape);
const clock = { now: Date.now };
const store = sqlSessions(db, groupCommit(db));
const open: HttpSettings = {
  trustProxy: false,
  localSources: false,
  bodies: createBodyBudget(0),
  sessions: createSessions({ store, clock, logger: console, keyPrint: "" }),
  keyLockout: createKeyLockout(clock),
};
const keyed: HttpSettings = { ...open, apiKey: apiKeyOf("a key of the server") };

let served: ServedForTest;
let signer: CardSigner;
beforeAll(async () => {
  served = await serveForTest({ config });
  const { privateKey } = generateKeyPairSync("ed25519");
  signer = await cardSignerOf(JSON.stringify(privateKey.export({ format: "jwk" })));
});
afterAll(async () => {
  await served.close();
  await db.destroy();
});

const callOf = (assistant_id: string, settings: HttpSettings, headers: Record<string, string> = {}) => ({
  platform: served.platform,
  deployment: served.deployment,
  settings,
  lease: settings.bodies.open(),
  access: OPEN_ACCESS,
  params: { assistant_id },
  body: undefined,
  query: undefined,
  request: new Request(`http://localhost/a2a/${assistant_id}`, { headers: { host: "localhost", ...headers } }),
});
const get = (assistant: string, settings = open, headers = {}) =>
  getAssistantCard(callOf(assistant, settings, headers));
const extended = async (assistant: string, settings: HttpSettings, dialect: "0.3" | "1.0") => {
  const found = await findAssistant(served.platform, served.deployment, assistant);
  const card = await extendedCard(callOf(assistant, settings), found, dialect);
  return card && (JSON.parse(JSON.stringify(card)) as AgentCard);
};

test("an extended card is each generation's own, and holds what the public one does not", async () => {
  const v1 = Card10.parse(await extended("agent", keyed, "1.0"));
  const v03 = Card03.parse(await extended("agent", keyed, "0.3"));
  for (const card of [v1, v03]) expect(card.skills.map(({ name }) => name)).toEqual(["agent", "Secret"]);
  expect([v1.supportedInterfaces[0]?.url, v03.url]).toEqual([
    "http://localhost/a2a/agent",
    "http://localhost/a2a/agent",
  ]);
  const seen = await (await get("agent", keyed)).text();
  expect(seen).not.toContain("Secret");
  expect(JSON.parse(seen)).toMatchObject({
    supportsAuthenticatedExtendedCard: true,
    capabilities: { extendedAgentCard: true },
  });
});

test("no extended card is offered where no authentication is required, or where it would add nothing", async () => {
  expect(await extended("agent", open, "1.0")).toBeUndefined();
  expect(await extended("other", keyed, "0.3")).toBeUndefined();
  expect(await (await get("agent")).json()).toMatchObject({ supportsAuthenticatedExtendedCard: false });
});

test("the public and the extended card carry signatures that the official client accepts", async () => {
  const settings = { ...keyed, cardSigner: signer };
  const verify = verifyAgentCardSignature((kid, jku) => {
    expect([kid, jku]).toEqual([signer.kid, "http://localhost/.well-known/jwks.json"]);
    return Promise.resolve(signer.keys.keys[0] ?? {});
  });
  for (const version of ["1.0", "0.3"]) {
    const card = (await (await get("agent", settings, { "a2a-version": version })).json()) as AgentCard;
    await verify(card);
    await expect(verify({ ...card, description: "Forged" })).rejects.toThrow("No valid signatures");
  }
  const card = await extended("agent", settings, "1.0");
  if (!card) throw new Error("there is no extended card");
  await verify(card);
  expect((await extended("agent", settings, "0.3"))?.signatures?.length).toBeGreaterThan(0);
});

test("a card declares push notifications where the deployment has them enabled", async () => {
  const pushes = async (pushEnabled: boolean) => {
    const call = callOf("agent", open);
    const card = await getAssistantCard({ ...call, deployment: { ...served.deployment, pushEnabled } });
    return ((await card.json()) as AgentCard).capabilities?.pushNotifications;
  };
  expect([await pushes(false), await pushes(true)]).toEqual([false, true]);
});

test("a card's date distinguishes every card from the one before it, however fast one follows the other", async () => {
  const { clock, platform, deployment } = served;
  const begin = Math.ceil(clock.time / 1000) * 1000 + 300;
  const getSince = (since?: string) => get("other", open, since === undefined ? {} : { "if-modified-since": since });
  const dateOf = (answer: Response): string => answer.headers.get("last-modified") ?? "";

  clock.time = begin;
  const first = await getSince();
  expect(Date.parse(dateOf(first))).toBeLessThanOrEqual(clock.time);
  await updateAssistant(platform, deployment, "other", { metadata: { a2a: { name: "Changed" } } });
  clock.time = begin + 1;
  const changed = await getSince(dateOf(first));
  expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ name: "Changed" })]);

  clock.time = begin + 1_000;
  const settled = await getSince(dateOf(changed));
  expect(settled.status).toBe(200);
  const kept = await getSince(dateOf(settled));
  expect([kept.status, await kept.text(), dateOf(kept)]).toEqual([304, "", dateOf(settled)]);
  clock.time += 3_600_000;
  expect(dateOf(await getSince())).toBe(dateOf(settled));

  await updateAssistant(platform, deployment, "other", { metadata: { a2a: { name: "Again" } } });
  expect((await getSince(dateOf(settled))).status).toBe(200);
  await updateAssistant(platform, deployment, "other", { metadata: { a2a: { name: "Changed" } } });
  expect((await getSince(dateOf(settled))).status).toBe(200);
});

test("a date counts only where no tag is sent, and only if it is one", async () => {
  served.clock.time += 3_600_000;
  await get("agent");
  served.clock.time += 3_600_000;
  const since = new Date(served.clock.time).toUTCString();
  const status = async (headers: Record<string, string>) => (await get("agent", open, headers)).status;
  expect(await status({ "if-modified-since": since })).toBe(304);
  expect(await status({ "if-modified-since": since, "if-none-match": '"x"' })).toBe(200);
  for (const bad of [
    "",
    "yesterday",
    "2999",
    new Date(served.clock.time).toISOString(),
    "Foo, 99 Bar 2026 00:00:00 GMT",
  ]) {
    expect([bad, httpSecond(bad), await status({ "if-modified-since": bad })]).toEqual([bad, undefined, 200]);
  }
});

test("the dates of the last requested cards are kept, within a bound", () => {
  cardSecond("first", "a", 1_000);
  for (let count = 0; count < 999; count++) cardSecond(`other ${count}`, "a", 2_000);
  expect(cardSecond("first", "a", 9_000)).toBe(2);
  for (let count = 0; count < 1_000; count++) cardSecond(`more ${count}`, "a", 2_000);
  expect(cardSecond("first", "a", 9_000)).toBe(10);
});
