import fc from "fast-check";
import { expect, test } from "vitest";
import { isForeign, isNeighbour } from "../../../lib/rules/http/origins.ts";

const here = { deployment: "bot", publicUrl: "https://agents.example.com" };
const NEAR = [
  "http://localhost:3000",
  "https://localhost",
  "http://127.0.0.1:5173",
  "http://[::1]:8080",
  "http://app.localhost:3000",
  "https://agents.example.com",
  "http://bot.agents.localhost:2024",
  "https://smith.langchain.com",
];
const FAR = [
  "https://evil.example",
  "null",
  "",
  "nonsense",
  "file://",
  "https://localhost.evil.com",
  "http://agents.example.com",
  "https://agents.example.com:8443",
  "https://smith.langchain.com.evil.com",
  "http://192.168.1.7:2024",
  "http://other.agents.localhost:2024",
  "https://other.agents.agents.example.com",
  "chrome-extension://abcdefghijklmnop",
];

test("pages of this machine, of PUBLIC_URL and of the studios are trusted, pages of other deployments are not", () => {
  for (const origin of NEAR) expect([origin, isNeighbour(origin, here)]).toEqual([origin, true]);
  for (const origin of FAR) expect([origin, isNeighbour(origin, here)]).toEqual([origin, false]);
});

test("no public site is trusted", () => {
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      expect(isNeighbour(`https://${domain}`, { deployment: "bot", publicUrl: undefined })).toBe(false);
    }),
  );
});

test("programs and pages of the same origin are not foreign; every other page is", () => {
  const host = fc.constantFrom("localhost:2024", "127.0.0.1", "agents.example.com", "bot.agents.localhost:2024");
  const site = fc.constantFrom(null, undefined, "none");
  fc.assert(
    fc.property(host, site, fc.webUrl(), (at, how, url) => {
      expect(isForeign({ host: at, origin: `http://${at}`, site: how }, undefined)).toBe(false);
      expect(isForeign({ host: at, origin: new URL(url).origin, site: how }, undefined)).toBe(true);
      expect(isForeign({ host: at, origin: null, site: how }, undefined)).toBe(false);
      for (const other of ["same-site", "cross-site", "anything"]) {
        expect(isForeign({ host: at, origin: null, site: other }, undefined)).toBe(true);
      }
      expect(isForeign({ host: at, origin: new URL(url).origin, site: "same-origin" }, undefined)).toBe(false);
    }),
  );
  expect(isForeign({ host: "localhost:2024", origin: "http://localhost:3000", site: null }, undefined)).toBe(true);
  expect(isForeign({ host: "localhost:2024", origin: "null", site: null }, undefined)).toBe(true);
  const behindProxy = { host: "127.0.0.1:2024", origin: "https://agents.example.com", site: null };
  expect(isForeign(behindProxy, "https://agents.example.com/below")).toBe(false);
});

test("never throws", () => {
  const text = fc.option(fc.string());
  fc.assert(
    fc.property(text, text, text, fc.option(fc.string(), { nil: undefined }), (host, origin, site, publicUrl) => {
      isForeign({ host, origin, site }, publicUrl);
      isNeighbour(origin ?? "", { deployment: "bot", publicUrl });
    }),
  );
});
