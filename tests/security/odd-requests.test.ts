/** Sends requests that no client makes by itself: other names, methods, targets and protocols. */
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, raw, wire } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";

const app = join(import.meta.dirname, "apps/origins");
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));

describe.each(serverUsers)("a server of $as:", ({ user }) => {
  let open: TestServer;
  let keyed: TestServer;
  beforeAll(async () => {
    const key = "a key that is long enough for a test";
    [open, keyed] = await Promise.all([
      startServer({ user, app, env: { PUBLIC_URL: "https://agents.example.com", GRAPHLIB_CARD_KEY: PEM } }),
      startServer({ user, app, env: { GRAPHLIB_API_KEY: key, GRAPHLIB_CARD_KEY: PEM, TRUST_PROXY: "1" } }),
    ]);
  });
  afterAll(() => Promise.all([open, keyed].map((server) => server?.stop())));

  describe("the signature of a card", () => {
    const card = (server: TestServer, headers: Record<string, string>) =>
      raw(`${server.url}/a2a/echo`, { headers }).then((answer) => json<{ signatures?: unknown[] }>(answer));

    /** One signature over the whole document, and one over the part that each generation's clients read. */
    const all = [expect.anything(), expect.anything(), expect.anything()] as unknown[];

    test("does not cover an address that the caller made up", async () => {
      for (const host of ["evil.example", "default.agents.evil.example", "192.168.1.7:2024"]) {
        expect((await card(keyed, { host })).signatures).toBeUndefined();
        expect(
          (await card(keyed, { "x-forwarded-host": host, "x-forwarded-proto": "https" })).signatures,
        ).toBeUndefined();
      }
      for (const host of ["localhost", "127.0.0.1:2024", "default.agents.localhost:2024"]) {
        expect((await card(keyed, { host })).signatures).toEqual(all);
      }
      expect((await raw(`${keyed.url}/.well-known/jwks.json`, { headers: { host: "evil.example" } })).status).toBe(200);
    });

    test("exists for PUBLIC_URL, which the card has at every address", async () => {
      expect(await card(open, { host: "localhost" })).toMatchObject({
        url: "https://agents.example.com/a2a/echo",
        signatures: all,
      });
    });
  });

  describe("an unusual request", () => {
    const send = (...lines: string[]) => wire(open.url, [...lines, "connection: close"]);
    const host = "host: localhost";

    test("with an unknown method is 405 with the allowed methods", async () => {
      for (const path of ["/", "/runs", "/agents/default/ok", "/api/deployments", "/act"]) {
        for (const method of ["TRACE", "PROPFIND", "PURGE", "QUERY", "LINK"]) {
          const { status, headers } = await send(`${method} ${path} HTTP/1.1`, host);
          expect([method, path, status, headers.allow]).toEqual([
            method,
            path,
            405,
            expect.stringContaining("GET, HEAD, POST"),
          ]);
        }
      }
      expect((await wire(open.url, ["CONNECT evil.example:443 HTTP/1.1", host])).status).toBe(405);
      expect((await wire(open.url, ["get / HTTP/1.1", host])).status).toBe(400);
    });

    test("without a path is 400, and one with an absolute target is served by its path", async () => {
      for (const line of ["OPTIONS * HTTP/1.1", "GET * HTTP/1.1"]) expect((await send(line, host)).status).toBe(400);
      expect((await send("GET http://localhost/ok HTTP/1.1", host)).text).toContain('"ok":true');
      expect((await send("GET http://default.agents.localhost/sign-in HTTP/1.1", host)).status).toBe(404);
    });

    test("for a path that cannot be decoded is 400: with a page for browsers, and with text for all others", async () => {
      const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
      for (const path of ["/%", "/deployments/%E0%A4%A/chat", "/agents/default/threads/%zz", "/api/deployments/%ff"]) {
        const shown = await raw(open.url + path, { headers: page });
        expect([path, shown.status]).toEqual([path, 400]);
        expect(shown.headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(shown.headers["content-security-policy"]).toContain("default-src 'none'; style-src 'sha256-");
        expect(shown.text).toContain("<h1>This address cannot be read</h1>");
        expect(shown.text).toContain('<a href="/">');
        expect(shown.text).not.toMatch(/\.ts|node_modules|E0%A4|URIError/);
        for (const accept of ["*/*", "application/json"]) {
          const answer = await raw(open.url + path, { headers: { accept } });
          expect([path, answer.status, answer.headers["content-type"], answer.text]).toEqual([
            path,
            400,
            "text/plain; charset=utf-8",
            "The path has a % that begins no encoded character: write it as %25",
          ]);
        }
        expect((await raw(open.url + path, { headers: page, body: "{}" })).headers["content-type"]).toMatch(
          /^text\/plain/,
        );
      }
    });

    const upgrade = (protocol: string) => [host, "connection: upgrade", `upgrade: ${protocol}`];

    test("for a WebSocket is refused on every path but those of threads, and there without a handshake key", async () => {
      for (const path of ["/", "/ok", "/runs/stream", "/_next/hmr", "/api/deployments/events", "/nowhere"]) {
        for (let time = 0; time < 3; time++) {
          const { status, headers, text } = await wire(open.url, [`GET ${path} HTTP/1.1`, ...upgrade("websocket")]);
          expect([path, status, headers.connection]).toEqual([path, 400, "close"]);
          expect(text).toContain("no WebSocket");
        }
      }
      const thread = `/threads/${crypto.randomUUID()}/stream/events`;
      for (const method of ["GET", "POST", "DELETE"]) {
        const { status } = await wire(open.url, [`${method} ${thread} HTTP/1.1`, ...upgrade("websocket")]);
        expect([method, status]).toEqual([method, expect.toSatisfy((one: number) => one === 400 || one === 405)]);
      }
      const evil = ["GET /ok HTTP/1.1", "host: evil.example", "connection: upgrade", "upgrade: websocket"];
      expect((await wire(open.url, evil)).status).toBe(421);
      const socket = new WebSocket(`${open.url.replace("http", "ws")}/ok`);
      await expect(new Promise((done) => socket.addEventListener("error", () => done("refused")))).resolves.toBe(
        "refused",
      );
      expect(open.output()).not.toMatch(/MaxListeners|unhandled/i);
    });

    test("for a resized image is 404, and is not passed to any other route", async () => {
      for (const path of ["/icon.svg", "/agents/default/act", "/api/deployments", "http://127.0.0.1/ok"]) {
        const target = `/_next/image?url=${encodeURIComponent(path)}&w=64&q=75`;
        for (const server of [open, keyed])
          expect([path, (await raw(server.url + target)).status]).toEqual([path, 404]);
      }
      expect(open.output() + keyed.output()).not.toContain("image");
    });

    test("for a page with a large body is refused before the body is read", async () => {
      for (const path of ["/", "/sign-in", "/sign-in/session", "/deployments/default", "/_next/static/none.js"]) {
        const post = (...headers: string[]) => send(`POST ${path} HTTP/1.1`, host, "next-action: 0", ...headers);
        expect([path, (await post("content-length: 1000000")).status]).toEqual([path, 413]);
        expect([path, (await post("transfer-encoding: chunked")).status]).toEqual([path, 411]);
      }
    });

    test("that offers another version of HTTP is answered in HTTP/1.1", async () => {
      const { status, text } = await raw(`${open.url}/ok`, {
        headers: { connection: "upgrade, close", upgrade: "h2c" },
      });
      expect([status, text]).toEqual([200, '{"ok":true}']);
    });
  });
});
