import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, SIGN_IN } from "../../lib/protocol/session.ts";
import { queryPostgres, findPostgres } from "../support/postgres.ts";
import { raw, rawStream } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { SAME_ORIGIN, signIn } from "../support/sign-in.ts";
import { signOut } from "../support/sign-out.ts";
import { inPostgres, inSqlite } from "../support/stored-sessions.ts";

const KEY = "a key of the server that nobody guesses";
const app = join(import.meta.dirname, "apps/sessions");
const postgres = await findPostgres();
const HOUR = 3_600_000;
type HeaderFields = Record<string, string | string[]>;

/** Returns whether a cookie is accepted by the API, the control plane and the pages, which must agree. */
async function letsIn(url: string, cookie: string): Promise<boolean> {
  const headers = { cookie, ...SAME_ORIGIN };
  const api = (await raw(`${url}/assistants/echo`, { headers })).status;
  const control = (await raw(`${url}/api/deployments`, { headers })).status;
  const page = await showsConsole(url, headers);
  expect([
    [200, 200, true],
    [401, 401, false],
  ]).toContainEqual([api, control, page]);
  return api === 200;
}

/** Returns whether a page shows the console; otherwise it must show only the sign-in. */
async function showsConsole(url: string, headers: HeaderFields): Promise<boolean> {
  const { text } = await raw(url, { headers });
  const isShown = text.includes("Sign out");
  expect(text.includes("/sign-in?next=")).toBe(!isShown);
  expect(text.includes(">default<")).toBe(isShown);
  return isShown;
}

const idOf = (cookie: string): string => cookie.split("=")[1] ?? "";
const hashOf = (cookie: string): string => createHash("sha256").update(idOf(cookie)).digest("base64url");

describe.each(serverUsers)("a server of $as:", ({ user }) => {
  const schema = `graphlib_sessions_${process.pid}_${user?.uid ?? 0}`;
  describe.each([
    ["SQLite", inSqlite, true],
    ["PostgreSQL", inPostgres(postgres ?? "", schema), postgres !== undefined],
  ] as const)("a stolen cookie, with sessions in %s", (_, stored, inReach) => {
    let server: TestServer;
    const start = async (key = KEY, home?: string): Promise<void> => {
      server = await startServer({ user, app, env: { GRAPHLIB_API_KEY: key, ...stored.env }, ...(home && { home }) });
    };
    const restart = async (key = KEY): Promise<void> => {
      await server.crash();
      await start(key, server.home);
    };
    beforeAll(async () => {
      if (inReach) await start();
    });
    afterAll(async () => {
      if (!inReach) return;
      await server.stop();
      if (stored === inSqlite) return;
      for (const name of ["platform", "default"]) {
        await queryPostgres(postgres ?? "", `drop schema if exists "${schema}_${name}" cascade`);
      }
    });

    test.runIf(inReach)("is invalid after the sign-out, which leaves other browsers signed in", async () => {
      const [mine, other] = [await signIn(server.url, KEY), await signIn(server.url, KEY)];
      expect(mine).not.toBe(other);
      expect(await letsIn(server.url, mine)).toBe(true);
      const answer = await signOut(server.url, mine);
      expect(answer.headers.get("location")).toBe("/sign-in");
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^graphlib_session=;.*Max-Age=0/)]);
      expect(await letsIn(server.url, mine)).toBe(false);
      expect(await letsIn(server.url, other)).toBe(true);
    });

    test.runIf(inReach)("is invalid after a sign-out everywhere", async () => {
      const [mine, stolen] = [await signIn(server.url, KEY), await signIn(server.url, KEY)];
      await signOut(server.url, mine, { everywhere: true });
      expect([await letsIn(server.url, mine), await letsIn(server.url, stolen)]).toEqual([false, false]);
    });

    test.runIf(inReach)("receives no more events on a stream that it opened before the sign-out", async () => {
      const cookie = await signIn(server.url, KEY);
      const stream = await rawStream(`${server.url}/api/deployments/events`, { headers: { cookie, ...SAME_ORIGIN } });
      await stream.until(({ event }) => event === "deployments");
      const withKey = await rawStream(`${server.url}/api/deployments/events`, { headers: { "x-api-key": KEY } });
      await signOut(server.url, cookie);
      await stream.end();
      expect(await letsIn(server.url, cookie)).toBe(false);
      await withKey.until(({ event }) => event === "deployments");
      withKey.leave();
    });

    test.runIf(inReach)("is not in the database: a stored hash is no cookie", async () => {
      const cookie = await signIn(server.url, KEY);
      const hashes = await stored.hashes(server.home);
      expect(hashes).toContain(hashOf(cookie));
      expect(hashes).not.toContain(idOf(cookie));
      for (const hash of hashes) expect(await letsIn(server.url, `${SESSION_COOKIE}=${hash}`)).toBe(false);
    });

    test.runIf(inReach)("survives a restart, but not 12 hours without use, nor 7 days", async () => {
      const aged = async (column: "created_at" | "last_used", hours: number): Promise<string> => {
        const cookie = await signIn(server.url, KEY);
        await stored.age(server.home, hashOf(cookie), column, hours * HOUR);
        return cookie;
      };
      const young = [await aged("last_used", 11), await aged("created_at", 167)];
      const over = [await aged("last_used", 12), await aged("created_at", 168)];
      for (const cookie of young) expect(await letsIn(server.url, cookie)).toBe(true);
      for (const cookie of over) expect(await letsIn(server.url, cookie)).toBe(false);
      await restart();
      for (const cookie of young) expect(await letsIn(server.url, cookie)).toBe(true);
      for (const cookie of over) expect(await letsIn(server.url, cookie)).toBe(false);
    });

    test.runIf(inReach)("is invalid after the key changed, also when it is changed back", async () => {
      const cookie = await signIn(server.url, KEY);
      const another = `${KEY}, really`;
      await restart(another);
      expect(await letsIn(server.url, cookie)).toBe(false);
      const fresh = await signIn(server.url, another);
      await restart();
      expect([await letsIn(server.url, cookie), await letsIn(server.url, fresh)]).toEqual([false, false]);
    });
  });

  describe("a cookie that another host has set", () => {
    const tossed = (name: string): string => `${name}=${"t".repeat(43)}`;

    describe("where the server is reached by https", () => {
      const https = { "x-forwarded-proto": "https", "x-forwarded-host": "console.example.com" };
      let server: TestServer;
      beforeAll(async () => {
        server = await startServer({ user, app, env: { GRAPHLIB_API_KEY: KEY, TRUST_PROXY: "1" } });
      });
      afterAll(() => server.stop());
      const status = async (cookie: string, headers = {}): Promise<number> =>
        (await raw(`${server.url}/assistants/echo`, { headers: { cookie, ...SAME_ORIGIN, ...https, ...headers } }))
          .status;

      test("is not accepted: the session's cookie has a name that only this host can set, over https", async () => {
        const body = JSON.stringify({ key: KEY });
        const answer = await raw(server.url + SIGN_IN, { body, headers: { ...SAME_ORIGIN, ...https } });
        const [cookie = "", ...more] = answer.headers["set-cookie"] ?? [];
        expect(more).toEqual([]);
        const [pair = "", ...attributes] = cookie.split("; ");
        expect(pair).toMatch(new RegExp(`^${SECURE_SESSION_COOKIE}=[\\w-]{43}$`));
        expect(attributes.filter((one) => !one.startsWith("Expires=")).toSorted()).toEqual([
          "HttpOnly",
          "Max-Age=604800",
          "Path=/",
          "SameSite=strict",
          "Secure",
        ]);
        expect(await status(pair)).toBe(200);
        // A real session, under the name that a sibling host can set.
        const bare = pair.replace(SECURE_SESSION_COOKIE, SESSION_COOKIE);
        expect(await status(bare)).toBe(401);
        expect(await status(`${bare}; ${tossed(SESSION_COOKIE)}; ${pair}`)).toBe(200);
        expect(await status(`${tossed(SESSION_COOKIE)}; ${SESSION_COOKIE}=`)).toBe(401);
        expect(await showsConsole(server.url, { cookie: bare, ...SAME_ORIGIN, ...https })).toBe(false);
        expect(await showsConsole(server.url, { cookie: pair, ...SAME_ORIGIN, ...https })).toBe(true);
      });

      test("is not accepted over https when the server set it over http", async () => {
        const bare = await signIn(server.url, KEY);
        expect(bare).toMatch(/^graphlib_session=/);
        expect(await status(bare)).toBe(401);
        expect(await status(bare, { "x-forwarded-proto": "http" })).toBe(200);
      });
    });

    describe("where the server is reached by http", () => {
      let server: TestServer;
      beforeAll(async () => {
        server = await startServer({ user, app, env: { GRAPHLIB_API_KEY: KEY } });
      });
      afterAll(() => server.stop());

      test("is not accepted, and does not hide the real one", async () => {
        const cookie = await signIn(server.url, KEY);
        const many = Array.from({ length: 50 }, (_, n) => `${SESSION_COOKIE}=${String(n).padEnd(43, "t")}`);
        expect(await letsIn(server.url, many.join("; "))).toBe(false);
        expect(await letsIn(server.url, [...many, cookie].join("; "))).toBe(true);
        expect(await letsIn(server.url, [cookie, ...many].join(";"))).toBe(true);
        expect(await letsIn(server.url, `${cookie}x; ${cookie.replace("=", "=x")}`)).toBe(false);
        // A client's own x-forwarded-proto has no effect.
        const forged = { cookie, ...SAME_ORIGIN, "x-forwarded-proto": "https" };
        expect((await raw(`${server.url}/assistants/echo`, { headers: forged })).status).toBe(200);
        await signOut(server.url, [tossed(SESSION_COOKIE), cookie].join("; "));
        expect(await letsIn(server.url, cookie)).toBe(false);
      });

      test("cannot be used by a page elsewhere, not even on the same site", async () => {
        const cookie = await signIn(server.url, KEY);
        const own = server.url;
        for (const site of ["same-site", "cross-site"]) {
          const headers = { cookie, "sec-fetch-site": site };
          expect((await raw(`${own}/assistants/echo`, { headers })).status).toBe(401);
          expect((await raw(`${own}/api/deployments`, { headers })).status).toBe(403);
          // A user who follows a link from there is asked to sign in; all other requests of such a page are refused.
          const link = { ...headers, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
          expect(await showsConsole(own, link)).toBe(false);
          expect((await raw(own, { headers })).status).toBe(403);
          const body = JSON.stringify({ key: KEY });
          expect((await raw(own + SIGN_IN, { body, headers })).status).toBe(403);
        }
        const unmarked: HeaderFields[] = [{ cookie }, { cookie, "sec-fetch-site": "none" }];
        for (const headers of unmarked) {
          expect((await raw(`${own}/assistants/echo`, { headers })).status).toBe(401);
          expect((await raw(`${own}/api/deployments`, { headers })).status).toBe(401);
          expect(await showsConsole(own, headers)).toBe(true);
        }
        const form = { ...SAME_ORIGIN, "content-type": "application/x-www-form-urlencoded" };
        expect((await raw(own + SIGN_IN, { body: `key=${KEY}`, headers: form })).status).toBe(415);
      });

      test("never reaches an application, and neither does the key, in any form", async () => {
        const cookie = await signIn(server.url, KEY);
        const headers = async (sent: HeaderFields): Promise<string> =>
          (await raw(`${server.url}/headers`, { headers: sent })).text;
        const secure = `${SECURE_SESSION_COOKIE}=${idOf(cookie)}`;
        const shown = await headers({ cookie: `a=1; ${cookie}; ${secure}; b=2`, "x-graphlib-address": "1.1.1.1" });
        expect(JSON.parse(shown)).toMatchObject({ cookie: "a=1; b=2" });
        expect(shown).not.toContain("x-graphlib");
        const forms: HeaderFields[] = [
          { "x-api-key": KEY },
          { "x-api-key": [KEY, KEY] },
          { "x-api-key": ["another", KEY] },
          { authorization: `Bearer ${KEY}` },
          { authorization: `bEARER   ${KEY}` },
          { authorization: KEY },
          { authorization: `Token ${KEY}` },
        ];
        for (const sent of forms) expect(await headers(sent)).not.toContain(KEY);
        expect(await headers({ "x-api-key": "their own", authorization: "Basic abc" })).toContain("their own");
      });

      test("a malformed key is refused", async () => {
        for (const authorization of [
          "Bearer",
          "Bearer ",
          `Bearer${KEY}`,
          `Basic ${KEY}`,
          `Bearer ${KEY},`,
          `Bearer Bearer ${KEY}`,
          `Bearer ${"x".repeat(8_000)}`,
          `Bearer ${" ".repeat(8_000)}x`,
          "Bearer \u00e9\u00ff",
        ]) {
          const { status, text } = await raw(`${server.url}/assistants/echo`, { headers: { authorization } });
          expect([401, 429]).toContain(status);
          expect(text).not.toContain(KEY);
        }
        const twice = { "x-api-key": [KEY, "another"] };
        expect((await raw(`${server.url}/assistants/echo`, { headers: twice })).status).toBe(401);
        expect(server.output()).not.toContain(KEY);
      });
    });
  });
});
