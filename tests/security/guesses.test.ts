import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SIGN_IN } from "../../lib/protocol/session.ts";
import { raw } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { SAME_ORIGIN, signIn } from "../support/sign-in.ts";

const KEY = "a key of the server that nobody guesses";
const app = join(import.meta.dirname, "apps/sessions");

describe.each(serverUsers)("a server of $as:", ({ user }) => {
  describe("guessing the key", () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ user, app, env: { GRAPHLIB_API_KEY: KEY, TRUST_PROXY: "1" } });
    });
    afterAll(() => server.stop());

    const LOGINS = {
      "the API": (key: string, headers: object) =>
        raw(`${server.url}/assistants/echo`, { headers: { ...headers, "x-api-key": key } }),
      "the API by a bearer token": (key: string, headers: object) =>
        raw(`${server.url}/assistants/echo`, { headers: { ...headers, authorization: `Bearer ${key}` } }),
      "the control plane": (key: string, headers: object) =>
        raw(`${server.url}/api/deployments`, { headers: { ...headers, "x-api-key": key } }),
      A2A: (key: string, headers: object) =>
        raw(`${server.url}/a2a/echo`, {
          headers: { ...headers, "x-api-key": key },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "1" } }),
        }),
      "the form of the sign-in": (key: string, headers: object) =>
        raw(server.url + SIGN_IN, { headers: { ...headers, ...SAME_ORIGIN }, body: JSON.stringify({ key }) }),
      "a deployment that is not there": (key: string, headers: object) =>
        raw(`${server.url}/agents/none/assistants/echo`, { headers: { ...headers, "x-api-key": key } }),
    } as const;
    const entries = Object.entries(LOGINS);
    const from = (client: string) => ({ "x-forwarded-for": `203.0.113.9, ${client}` });

    test("by pages of other origins locks nobody out who only opens them", async () => {
      const client = from("192.0.2.200");
      const page = { ...client, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      const tries = await Promise.all(Array.from({ length: 12 }, (_, n) => LOGINS["the API"](`page ${n}`, page)));
      expect(tries.some(({ status }) => status === 429)).toBe(true);
      expect((await LOGINS["the API"](KEY, client)).status).toBe(200);
    });

    test.each(entries)("at %s ends after ten, also for the right key, with the same answer", async (name, tryKey) => {
      const client = from(`192.0.2.${entries.findIndex(([one]) => one === name) + 1}`);
      const cookie = await signIn(server.url, KEY, client);
      const statuses: number[] = [];
      for (let n = 0; n < 10; n++) statuses.push((await tryKey(`guess ${n}`, client)).status);
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
      const [wrong, right] = [await tryKey("guess 10", client), await tryKey(KEY, client)];
      for (const answer of [wrong, right]) {
        expect(answer.status).toBe(429);
        expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
        expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
        expect(answer.text).toMatch(/Too many wrong/);
        expect(answer.text).not.toContain(KEY);
      }
      const plain = (text: string): string => text.replace(/\d+ s/, "N s");
      expect(plain(right.text)).toBe(plain(wrong.text));
      expect(Object.keys(right.headers)).toEqual(Object.keys(wrong.headers));
      // All other entries are locked too. A signed-in session and other addresses are not.
      for (const [, other] of entries) expect((await other(KEY, client)).status).toBe(429);
      const session = { cookie, ...SAME_ORIGIN, ...client };
      expect((await raw(`${server.url}/api/deployments`, { headers: session })).status).toBe(200);
      expect((await tryKey(KEY, from("198.51.100.7"))).status).toBeLessThan(405);
      expect((await raw(`${server.url}/ok`, { headers: { ...client, "x-api-key": KEY } })).status).toBe(200);
    });

    test("one wrong key, however often it is repeated, locks nobody else out", async () => {
      const client = from("192.0.2.100");
      const statuses: number[] = [];
      for (let n = 0; n < 30; n++) statuses.push((await LOGINS["the API"]("old key", client)).status);
      expect(statuses).toEqual(statuses.map((_, n) => (n < 10 ? 401 : 429)));
      expect((await LOGINS["the API"](KEY, client)).status).toBe(200);
      expect((await raw(`${server.url}/assistants/echo`, { headers: client })).status).toBe(401);
    });

    test("is counted by network in IPv6, and a forged first hop is ignored", async () => {
      for (let n = 0; n < 10; n++) {
        const client = { "x-forwarded-for": `198.51.100.${n}, 2001:db8:1:2::${n}` };
        expect((await LOGINS["the API"](`guess ${n}`, client)).status).toBe(401);
      }
      expect((await LOGINS["the API"](KEY, from("2001:db8:1:2:ffff::1"))).status).toBe(429);
      expect((await LOGINS["the API"](KEY, from("2001:db8:1:3::1"))).status).toBe(200);
    });

    test("by JSON-RPC is answered with a JSON-RPC error", async () => {
      const client = from("192.0.2.101");
      for (let n = 0; n < 10; n++) await LOGINS.A2A(`guess ${n}`, client);
      const answer = await LOGINS.A2A(KEY, client);
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 } });
    });

    test("leaves no key in the server's output", () => {
      expect(server.output()).not.toMatch(/guess \d/);
      expect(server.output()).not.toContain(KEY);
    });
  });

  test.runIf(process.platform === "linux")(
    "guessing is counted by the address of the connection, whatever headers the client sends",
    async () => {
      const server = await startServer({ user, app, env: { GRAPHLIB_API_KEY: KEY } });
      const tryKey = async (key: string, localAddress: string, headers = {}): Promise<number> =>
        (await raw(`${server.url}/assistants/echo`, { localAddress, headers: { "x-api-key": key, ...headers } }))
          .status;
      for (let n = 0; n < 10; n++) {
        const forged = { "x-forwarded-for": `192.0.2.${n}`, "x-graphlib-address": `192.0.2.${n}` };
        expect(await tryKey(`guess ${n}`, "127.0.0.2", forged)).toBe(401);
      }
      expect(await tryKey("guess 10", "127.0.0.2", { "x-graphlib-address": "192.0.2.77" })).toBe(429);
      expect(await tryKey(KEY, "127.0.0.2")).toBe(429);
      expect(await tryKey(KEY, "127.0.0.1")).toBe(200);
      await server.stop();
    },
  );

  test("an application with its own authentication does not help guessing, and its users stay admitted", async () => {
    const guarded = resolve(import.meta.dirname, "../api/apps/guarded");
    const server = await startServer({ user, app: guarded, env: { GRAPHLIB_API_KEY: KEY, TRUST_PROXY: "1" } });
    const client = { "x-forwarded-for": "192.0.2.1" };
    const request = (headers: object) => raw(`${server.url}/assistants/told`, { headers: { ...client, ...headers } });
    const answers: string[] = [];
    for (let n = 0; n < 10; n++) {
      const { status, text } = await request({ "x-api-key": `guess ${n}` });
      answers.push(`${status} ${text}`);
    }
    expect(new Set(answers)).toEqual(new Set(["401 Who are you?"]));
    const [wrong, right] = [await request({ "x-api-key": "guess 10" }), await request({ "x-api-key": KEY })];
    expect([wrong.status, right.status]).toEqual([429, 429]);
    expect((await request({ authorization: "Bearer ada" })).status).toBe(200);
    expect((await request({})).status).toBe(401);
    await server.stop();
  });

  describe("a server without key", () => {
    let server: TestServer;
    const code = (): string => /\?code=([\w-]{32})/.exec(server.output())?.[1] ?? "";
    const from = (client: string) => ({ "x-forwarded-for": client });
    const byLink = (given: string, headers: object) =>
      raw(`${server.url}/sign-in/link?code=${encodeURIComponent(given)}`, { headers: { ...headers } });
    const byForm = (given: string, headers: object) =>
      raw(server.url + SIGN_IN, { headers: { ...headers, ...SAME_ORIGIN }, body: JSON.stringify({ key: given }) });
    const start = async (home?: string): Promise<void> => {
      const guarded = resolve(import.meta.dirname, "../api/apps/guarded");
      server = await startServer({ user, app: guarded, env: { TRUST_PROXY: "1" }, ...(home && { home }) });
    };
    beforeAll(() => start());
    afterAll(() => server.stop());

    test("after ten wrong codes refuses the right one too, by link and by form", async () => {
      const client = from("192.0.2.1");
      for (let n = 0; n < 10; n++) {
        const answer = await (n % 2 === 0 ? byLink : byForm)(`guess${n}`, client);
        expect(answer.status).toBe(n % 2 === 0 ? 307 : 401);
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
      for (const tryKey of [byLink, byForm]) {
        for (const given of ["another", code()]) {
          const answer = await tryKey(given, client);
          expect(answer.status).toBe(429);
          expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
          expect(answer.headers["set-cookie"]).toBeUndefined();
        }
      }
      expect((await byLink(code(), from("192.0.2.2"))).headers["set-cookie"]).toHaveLength(1);
      expect((await raw(`${server.url}/api/deployments`, { headers: client })).status).toBe(200);
    });

    test("keeps its sessions over a restart, and drops them when its code changes", async () => {
      const cookie = await signIn(server.url, code());
      const getStatus = async (): Promise<number> =>
        (await raw(`${server.url}/assistants/told`, { headers: { cookie, ...SAME_ORIGIN } })).status;
      expect(await getStatus()).toBe(200);
      await server.crash();
      await start(server.home);
      expect(await getStatus()).toBe(200);
      await server.crash();
      await rm(join(server.home, "console-code"));
      await start(server.home);
      expect(await getStatus()).toBe(401);
    });
  });
});
