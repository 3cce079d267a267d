import fc from "fast-check";
import { expect, test } from "vitest";
import { routeOf } from "../../../lib/rules/http/address.ts";
import {
  type Arrival,
  isWebSocket,
  readTarget,
  rejectRequest,
  rejectPageRequest,
  wantsPage,
} from "../../../lib/rules/http/front.ts";

const open = { keyed: false, publicUrl: undefined };
const get = (target: string, headers: Arrival["headers"] = { host: "localhost:2024" }): Arrival => ({
  method: "GET",
  target,
  headers,
});
const judge = (arrival: Arrival, surroundings = open) =>
  rejectRequest(arrival, readTarget(arrival), surroundings)?.status;

/** Paths as an attacker writes them. */
const crooked = fc
  .array(fc.constantFrom("/", "\\", ".", "..", "%2e", "%2E%2e", "%2f", "api", "sign-in", "_next", "agents", "x", "%"))
  .map((parts) => `/${parts.join("")}`);

test("any path on a deployment's own host leads to that deployment, however it is resolved later", () => {
  fc.assert(
    fc.property(crooked, fc.constantFrom("", "?next=/..//x", "?a=\\"), (path, query) => {
      const target = readTarget(get(path + query, { host: "bot.agents.localhost" }));
      const route = routeOf(target?.host, target?.path ?? "");
      expect(new URL(`http://server.test${route}`).pathname).toMatch(/^\/agents\/bot(?:\/|$)/);
    }),
    { numRuns: 5_000 },
  );
});

test("a path is normalised once: doing it again changes nothing, and a normal one stays the same", () => {
  fc.assert(
    fc.property(crooked, (path) => {
      const first = readTarget(get(path))?.path ?? "";
      expect(readTarget(get(first))?.path).toBe(first);
    }),
  );
  for (const path of ["/", "/runs/stream?a=1", "/a..b/.c", "/x?next=/../y", "//runs", "/%2F..%2Fapi"]) {
    expect(readTarget(get(path))).toEqual({ host: "localhost:2024", path });
  }
  expect(readTarget(get("/../api"))?.path).toBe("/api");
});

test("an absolute target brings its own host; any other target that is no path is refused", () => {
  expect(readTarget(get("http://bot.agents.localhost:80/a/../ok?b=1"))).toEqual({
    host: "bot.agents.localhost",
    path: "/ok?b=1",
  });
  expect(judge(get("http://evil.example/ok"))).toBe(421);
  expect(judge(get("https://localhost:2024/ok"))).toBeUndefined();
  for (const target of ["*", "", "ok", "ftp://localhost/", "http://", "localhost:2024"]) {
    expect([target, judge(get(target))]).toEqual([target, 400]);
  }
});

test("without a key, a foreign host name is refused; with one, the key alone counts", () => {
  fc.assert(
    fc.property(
      fc.domain(),
      fc.constantFrom("/", "/ok", "/_next/x.js", "/api/deployments", "/agents/a/ok"),
      (host, path) => {
        expect(judge(get(path, { host }))).toBe(421);
        expect(judge(get(path, { host }), { keyed: true, publicUrl: undefined })).toBeUndefined();
        const publicUrl = `https://${host}`;
        expect(rejectRequest(get(path, { host }), { host, path }, { keyed: false, publicUrl })).toBeUndefined();
      },
    ),
  );
  expect(rejectRequest(get("/"), { host: "evil.example", path: "/" }, open)?.message).toMatch(
    /PUBLIC_URL.*GRAPHLIB_API_KEY/,
  );
});

test("only a path that cannot be decoded is refused; a query may hold anything", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(judge(get(`/threads/${encodeURIComponent(text.toWellFormed())}`))).toBeUndefined();
    }),
  );
  for (const path of ["/%", "/threads/100%", "/%zz/ok", "/%ff", "/api/deployments/%E0%A4%A"]) {
    expect([path, judge(get(path))]).toEqual([path, 400]);
  }
  expect(judge(get("/runs?after=100%&x=%zz"))).toBeUndefined();
});

test("browsers that open a page want one, and programs, scripts and other methods do not", () => {
  const wants = (accept?: string, method = "GET") =>
    wantsPage({ method, headers: accept === undefined ? {} : { accept } });
  for (const accept of ["text/html", "text/html,application/xhtml+xml,*/*;q=0.8", "*/*, Text/HTML;q=0.9"]) {
    expect([accept, wants(accept), wants(accept, "HEAD"), wants(accept, "POST")]).toEqual([accept, true, true, false]);
  }
  for (const accept of [undefined, "", "*/*", "application/json", "text/html-sandboxed", "text/event-stream"]) {
    expect([accept, wants(accept)]).toEqual([accept, false]);
  }
});

test("a request without a Host header is a program's and is answered", () => {
  expect(judge({ method: "GET", target: "/ok", headers: {} })).toBeUndefined();
  expect(judge(get("/ok", { host: "" }))).toBe(421);
});

test("methods that no route has are answered with 405", () => {
  for (const method of ["TRACE", "CONNECT", "PROPFIND", "QUERY", "get", ""]) {
    const turned = rejectRequest({ ...get("/"), method }, { host: "localhost", path: "/" }, open);
    expect(turned).toMatchObject({ status: 405, headers: { allow: expect.stringContaining("DELETE") } });
  }
});

test("a service worker is only allowed on a deployment's own host", () => {
  const worker = { "service-worker": "script" };
  expect(judge(get("/sw.js", { host: "localhost", ...worker }))).toBe(403);
  expect(judge(get("/agents/bot/sw.js", { host: "localhost", ...worker }))).toBe(403);
  expect(judge(get("/sw.js", { host: "bot.agents.localhost", ...worker }))).toBeUndefined();
});

test("a page of another origin may link to the console's pages, and send nothing else to them", () => {
  const host = "localhost:2024";
  const page = (method: string, headers: Record<string, string>) =>
    rejectPageRequest({ method, headers: { host, ...headers } }, undefined)?.status;
  const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  for (const site of ["same-site", "cross-site"]) {
    const far = { "sec-fetch-site": site };
    expect(page("GET", { ...far, ...link })).toBeUndefined();
    expect(page("POST", { ...far, ...link, origin: "http://bot.agents.localhost:2024" })).toBe(403);
    for (const dest of ["iframe", "script", "image", "empty"]) {
      expect(page("GET", { ...far, "sec-fetch-mode": "navigate", "sec-fetch-dest": dest })).toBe(403);
      expect(page("GET", { ...far, "sec-fetch-mode": "no-cors", "sec-fetch-dest": dest })).toBe(403);
    }
  }
  for (const origin of ["http://bot.agents.localhost:2024", "http://localhost:3000", "null"]) {
    expect(page("POST", { origin })).toBe(403);
  }
  expect(page("POST", { origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBeUndefined();
  expect(page("POST", { origin: "null", "sec-fetch-site": "same-origin" })).toBeUndefined();
  expect(page("GET", { "sec-fetch-site": "none", ...link })).toBeUndefined();
  expect(page("POST", {})).toBeUndefined();
});

test("a page takes bodies up to 64 kB, and none without a length", () => {
  const page = (headers: Record<string, string>) =>
    rejectPageRequest({ method: "POST", headers: { host: "localhost", ...headers } }, undefined)?.status;
  expect(page({ "content-length": "65536" })).toBeUndefined();
  expect(page({ "content-length": "65537" })).toBe(413);
  expect(page({ "transfer-encoding": "chunked" })).toBe(411);
});

test("an upgrade to WebSocket is recognised, and no other upgrade", () => {
  for (const upgrade of ["websocket", "WebSocket", "h2c, websocket", "websocket/13"]) {
    expect(isWebSocket({ upgrade })).toBe(true);
  }
  for (const upgrade of ["h2c", "TLS/1.0", "mywebsocket", ""]) expect(isWebSocket({ upgrade })).toBe(false);
});

test("never throws", () => {
  const text = fc.option(fc.string(), { nil: undefined });
  fc.assert(
    fc.property(fc.string(), fc.string(), text, text, text, (method, target, host, site, origin) => {
      const arrival = { method, target, headers: { host, origin, "sec-fetch-site": site } };
      rejectRequest(arrival, readTarget(arrival), open);
      rejectPageRequest(arrival, origin);
    }),
  );
});
