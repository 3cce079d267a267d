/** Tests requests of foreign pages and under foreign names, and responses of an application at the console's origin. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, raw, type RawRequest, wire } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";

const app = join(import.meta.dirname, "apps/origins");
const refusing = join(import.meta.dirname, "apps/origins-refusing");
const KEY = "a key that is long enough for a test";

describe.each(serverUsers)("a server of $as:", ({ user }) => {
  let open: TestServer;
  let keyed: TestServer;
  let shut: TestServer;
  beforeAll(async () => {
    [open, keyed, shut] = await Promise.all([
      startServer({ user, app, env: { PUBLIC_URL: "https://agents.example.com" } }),
      startServer({ user, app, env: { GRAPHLIB_API_KEY: KEY } }),
      startServer({ user, app: refusing }),
    ]);
  });
  afterAll(() => Promise.all([open, keyed, shut].map((server) => server?.stop())));

  const port = ({ url }: TestServer): string => new URL(url).port;
  const at = (server: TestServer, name: string): string => `${name}:${port(server)}`;
  const own = (server: TestServer): Record<string, string> => ({ host: at(server, "default.agents.localhost") });

  const OF_ORIGIN = [
    "set-cookie",
    "clear-site-data",
    "service-worker-allowed",
    "strict-transport-security",
    "alt-svc",
    "nel",
    "report-to",
    "reporting-endpoints",
    "origin-agent-cluster",
    "accept-ch",
    "speculation-rules",
  ];

  describe.each([
    ["a server without a key", () => open, {}],
    ["a server with a key", () => keyed, { "x-api-key": KEY }],
  ])("own routes of an application on %s", (_, served, key: Record<string, string>) => {
    test.each(["", "/agents/default"])("are sandboxed at the shared address '%s'", async (prefix) => {
      const page = await raw(`${served().url}${prefix}/page`);
      expect(page).toMatchObject({
        status: 200,
        headers: { "content-security-policy": "sandbox", "x-wrapped": "yes" },
      });
      expect(page.text).toContain("<script>");
      for (const name of OF_ORIGIN) expect(page.headers).not.toHaveProperty(name);
      const platforms = await raw(`${served().url}${prefix}/assistants/echo`, { headers: key });
      expect(platforms).toMatchObject({ status: 200, headers: { "x-wrapped": "yes" } });
      expect(platforms.headers["content-type"]).toMatch(/^application\/json/);
      for (const name of OF_ORIGIN) expect(platforms.headers).not.toHaveProperty(name);
      const missing = await raw(`${served().url}${prefix}/no/such/path`);
      for (const name of OF_ORIGIN) expect(missing.headers).not.toHaveProperty(name);
    });

    test("cannot redirect a request of the console's scripts, which would follow with the session", async () => {
      const away = (server: TestServer, headers: Record<string, string>) =>
        raw(`${server.url}/away`, { method: "POST", headers: { ...key, ...headers } });
      const byConsole = await away(served(), { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" });
      expect([byConsole.status, byConsole.headers.location]).toEqual([502, undefined]);
      for (const headers of [{}, own(served()), { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }]) {
        expect((await away(served(), headers)).status).toBe(307);
      }
    });

    test("are not sandboxed at the deployment's own origin, its start page included", async () => {
      const page = await raw(`${served().url}/page`, { headers: own(served()) });
      expect(page.headers["content-security-policy"]).toMatch(/^default-src \*/);
      // This header would delete the cookies of the whole site, including the console's.
      expect(page.headers).not.toHaveProperty("clear-site-data");
      for (const name of OF_ORIGIN.filter((one) => one !== "clear-site-data"))
        expect(page.headers).toHaveProperty(name);
      const start = await raw(`${served().url}/`, { headers: own(served()) });
      expect(start.text).toContain("The application's own start");
    });

    test("receive no cookie of the console", async () => {
      const cookie = "a=1; graphlib_session=secret; b=2";
      for (const headers of [{ cookie }, { cookie, ...own(served()) }]) {
        expect(json(await raw(`${served().url}/seen`, { headers }))).toMatchObject({ cookie: "a=1; b=2" });
      }
    });

    test("can register a service worker only at their own origin", async () => {
      const headers = { "service-worker": "script" };
      for (const path of ["/sw.js", "/agents/default/sw.js", "/", "/_next/static/x.js"]) {
        expect((await raw(served().url + path, { headers })).status).toBe(403);
      }
      const script = await raw(`${served().url}/sw.js`, { headers: { ...headers, ...own(served()) } });
      expect(script).toMatchObject({ status: 200, headers: { "service-worker-allowed": "/" } });
    });

    test("have no pages of the console or paths of the control plane at their origin", async () => {
      const paths = ["/api/deployments", "/api/openapi.json", "/sign-in", "/deployments/default", "/_next/static/x.js"];
      const bent = [
        "/../../api/deployments",
        "/%2e%2e/%2E%2E/sign-in",
        "/..\\..\\sign-in",
        "/x/..//../../api/deployments",
      ];
      for (const path of [...paths, ...bent, "/agents/default/../../api/deployments"]) {
        const { status, text } = await wire(served().url, [
          `GET ${path} HTTP/1.1`,
          `host: ${own(served()).host}`,
          `x-api-key: ${KEY}`,
          "connection: close",
        ]);
        expect([path, status < 500]).toEqual([path, true]);
        expect(text).not.toMatch(/"source"|<html|openapi"/);
      }
      const action = { ...own(served()), "next-action": "0".repeat(40), "content-type": "text/plain" };
      const posted = await raw(`${served().url}/sign-in`, { method: "POST", headers: action, body: "[]" });
      expect(posted).toMatchObject({ status: 404, text: expect.stringContaining("No such route: POST /sign-in") });
    });
  });

  test("a response of an application's authentication is sandboxed too", async () => {
    for (const path of ["/assistants/echo", "/agents/default/threads/search"]) {
      const refused = await raw(shut.url + path, path.endsWith("search") ? { body: "{}" } : {});
      expect(refused).toMatchObject({ status: 401, headers: { "content-security-policy": "sandbox" } });
      for (const name of ["set-cookie", "service-worker-allowed", "www-authenticate"]) {
        expect(refused.headers).not.toHaveProperty(name);
      }
    }
    const whole = await raw(`${shut.url}/assistants/echo`, { headers: own(shut) });
    expect(whole.headers["set-cookie"]).toEqual(["graphlib_session=forged; Path=/"]);
  });

  describe("a server without a key", () => {
    const everywhere = [
      "/",
      "/ok",
      "/sign-in",
      "/api/deployments",
      "/agents/default/ok",
      "/_next/static/x.js",
      "/icon.svg",
    ];

    test("answers only to its own names", async () => {
      for (const host of [
        "evil.example",
        "localhost.evil.example",
        "192.168.1.7",
        "0.0.0.0",
        "default.agents.evil.example",
      ]) {
        for (const path of everywhere) {
          const { status, text } = await raw(open.url + path, { headers: { host: at(open, host) } });
          expect([host, path, status, text]).toEqual([
            host,
            path,
            421,
            expect.stringMatching(/PUBLIC_URL.*GRAPHLIB_API_KEY/),
          ]);
        }
      }
      for (const host of ["localhost", "app.localhost", "127.1.2.3", "[::1]", "agents.example.com"]) {
        for (const name of [host, ...(host.startsWith("[") ? [] : [`default.agents.${host}`])]) {
          expect((await raw(`${open.url}/ok`, { headers: { host: at(open, name) } })).status).toBe(200);
        }
      }
      // A request without a name comes from a program that checks whether the server is up. It cannot manage anything.
      expect((await wire(open.url, ["GET /ok HTTP/1.0"])).status).toBe(200);
      expect((await wire(open.url, ["GET /api/deployments HTTP/1.0"])).status).toBe(403);
      expect(
        (await wire(open.url, ["GET http://evil.example/ok HTTP/1.1", "host: localhost", "connection: close"])).status,
      ).toBe(421);
    });

    const run = JSON.stringify({ assistant_id: "echo", input: { word: "x" } });

    test("refuses every request that a page elsewhere can send without a preflight", async () => {
      const threads = async () => json<unknown[]>(await raw(`${open.url}/threads/search`, { body: "{}" })).length;
      const before = await threads();
      const pages = ["https://evil.example", "null", "http://evil.agents.localhost", "http://192.168.1.7:3000"];
      for (const origin of pages) {
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
          for (const path of [
            "/runs/wait",
            "/threads",
            "/threads/search",
            "/store/items/search",
            "/a2a/echo",
            "/act",
          ]) {
            const headers = { origin, "content-type": type };
            const { status } = await raw(open.url + path, { headers, body: path === "/runs/wait" ? run : "{}" });
            expect([origin, type, path, status]).toEqual([origin, type, path, 403]);
          }
        }
      }
      const blind = { "sec-fetch-site": "cross-site" };
      expect((await raw(`${open.url}/threads`, { headers: blind, body: "{}" })).status).toBe(403);
      expect(await threads()).toBe(before);
      expect(json(await raw(`${open.url}/seen`))).toMatchObject({ acts: 0 });
    });

    test("accepts a body of an operation only with its content type", async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
        for (const path of ["/runs/wait", "/threads", "/threads/search", "/store/items/search"]) {
          const answer = await raw(open.url + path, { headers: { "content-type": type }, body: run });
          expect([path, answer.status, answer.text]).toEqual([path, 415, expect.stringContaining("application/json")]);
        }
        const answer = await raw(`${open.url}/a2a/echo`, { headers: { "content-type": type }, body: "{}" });
        expect(json(answer)).toMatchObject({ error: { message: expect.stringContaining("application/json") } });
        expect((await raw(`${open.url}/act`, { headers: { "content-type": type }, body: "x" })).status).toBe(200);
      }
      expect((await raw(`${open.url}/runs/wait`, { body: run })).status).toBe(200);
      expect((await raw(`${open.url}/threads`, { method: "POST" })).status).toBe(200);
    });

    test("lets only pages of this machine, of PUBLIC_URL and of the studios read", async () => {
      const request = (origin: string, options: RawRequest = {}) =>
        raw(`${open.url}/runs/wait`, { body: run, ...options, headers: { origin, ...options.headers } });
      const near = [
        "http://localhost:3000",
        "http://127.0.0.1:5173",
        "http://app.localhost",
        "https://agents.example.com",
      ];
      for (const origin of [...near, "https://smith.langchain.com"]) {
        const { status, headers } = await request(origin);
        expect([status, headers["access-control-allow-origin"]]).toEqual([200, origin]);
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
        const preflight = await raw(`${open.url}/runs/wait`, { method: "OPTIONS", headers: { origin } });
        expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, origin]);
      }
      for (const origin of ["https://evil.example", "null", "http://other.agents.localhost"]) {
        for (const options of [{ method: "OPTIONS", body: undefined }, {}]) {
          expect((await request(origin, options)).headers).not.toHaveProperty("access-control-allow-origin");
        }
        const read = await raw(`${open.url}/assistants/echo`, { headers: { origin } });
        expect([read.status, read.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
      }
    });
  });

  describe("the console's pages", () => {
    test("are refused to a page of a deployment on the same site", async () => {
      const beside = { origin: `http://${own(keyed).host}`, "sec-fetch-site": "same-site" };
      for (const path of ["/", "/sign-in", "/deployments/default"]) {
        const form = { ...beside, "content-type": "multipart/form-data; boundary=x" };
        expect((await raw(keyed.url + path, { headers: form, body: "--x--" })).status).toBe(403);
        const action = { ...beside, "next-action": "0".repeat(40), "content-type": "text/plain" };
        expect((await raw(keyed.url + path, { headers: action, body: "[]" })).status).toBe(403);
        const script = { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
        expect((await raw(`${keyed.url}${path}?_rsc=1`, { headers: { ...script, rsc: "1" } })).status).toBe(403);
        const frame = { ...script, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
        expect((await raw(keyed.url + path, { headers: frame })).status).toBe(403);
      }
      for (const path of ["/api/deployments", "/api/openapi.json"]) {
        expect((await raw(keyed.url + path, { headers: { ...beside, "x-api-key": KEY } })).status).toBe(403);
      }
    });

    test("cannot be framed, controlled by an opener, or loaded elsewhere", async () => {
      const { headers } = await raw(`${keyed.url}/sign-in`);
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    });

    test("redirect to no other host, in any spelling of the path", async () => {
      for (const path of [
        "//evil.example/",
        "/\\evil.example/",
        "/..//evil.example/",
        "///evil.example",
        "/.//evil.example/%2f..",
      ]) {
        const { status, headers } = await wire(keyed.url, [
          `GET ${path} HTTP/1.1`,
          "host: localhost",
          "connection: close",
        ]);
        expect([path, status < 500]).toEqual([path, true]);
        const { location = "/" } = headers;
        expect(new URL(location, "http://localhost").origin).toBe("http://localhost");
      }
    });
  });
});
