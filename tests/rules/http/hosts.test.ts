import fc from "fast-check";
import { expect, test } from "vitest";
import { deploymentOf, hostnameOf, isKnownHost, ownOrigin } from "../../../lib/rules/http/hosts.ts";

const name = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/);
const port = fc.constantFrom("", ":80", ":2024", ":65535");
const LOCAL = ["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.8.9.10", "[::1]"];

test("names of the loopback interface are this server's, and so are deployments' names below them", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LOCAL), name, port, (host, deployment, end) => {
      expect(isKnownHost(host + end, undefined)).toBe(true);
      if (!host.startsWith("[")) expect(isKnownHost(`${deployment}.agents.${host}${end}`, undefined)).toBe(true);
    }),
  );
});

test("of all other names only that in PUBLIC_URL is this server's, with any port", () => {
  fc.assert(
    fc.property(fc.domain(), name, port, fc.domain(), (domain, deployment, end, other) => {
      fc.pre(!/(?:^|\.)localhost$/.test(domain) && domain !== other && !domain.endsWith(`.agents.${other}`));
      for (const host of [domain, `${deployment}.agents.${domain}`]) {
        expect(isKnownHost(host + end, undefined)).toBe(false);
        expect(isKnownHost(host + end, `https://${other}`)).toBe(false);
        expect(isKnownHost(host + end, `https://${domain}:8443/below`)).toBe(true);
      }
    }),
  );
  for (const host of [undefined, null, "", "[", "localhost.evil.com", "127.0.0.1.evil.com", "evil.com:localhost"]) {
    expect([host, isKnownHost(host, "https://good.example")]).toEqual([host, false]);
  }
  for (const host of ["192.168.1.7", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "2130706433", "evil@localhost"]) {
    expect([host, isKnownHost(host, undefined)]).toEqual([host, false]);
  }
});

test("never throws, and a host name has no spaces or slashes", () => {
  const text = fc.option(fc.string(), { nil: undefined });
  fc.assert(
    fc.property(text, text, (host, publicUrl) => {
      isKnownHost(host, publicUrl);
      deploymentOf(host, publicUrl);
      ownOrigin(host ?? "", "bot");
      expect(hostnameOf(host) ?? "").not.toMatch(/[\s/]/);
    }),
  );
});

test("the origin of a deployment leads to that deployment, and never to the console", () => {
  const host = fc.oneof(fc.domain(), fc.constantFrom("localhost", "127.0.0.1", "[::1]", "prod.agents.example.com"));
  fc.assert(
    fc.property(fc.constantFrom("http", "https"), host, port, name, (scheme, at, end, deployment) => {
      const base = `${scheme}://${at}${end}`;
      const origin = ownOrigin(base, deployment) ?? "";
      expect(new URL(origin).origin).toBe(new URL(origin + "/x").origin);
      expect(new URL(origin).origin).not.toBe(new URL(base).origin);
      expect(deploymentOf(new URL(origin).host, base)).toBe(deployment);
      expect(deploymentOf(at + end, base)).toBeUndefined();
    }),
  );
});

test("an IP address has no names below it, except for the loopback one, which is localhost", () => {
  expect(ownOrigin("http://127.0.0.1:2024", "bot")).toBe("http://bot.agents.localhost:2024");
  expect(ownOrigin("http://[::1]:2024", "bot")).toBe("http://bot.agents.localhost:2024");
  expect(ownOrigin("https://agents.example.com/below", "bot")).toBe("https://bot.agents.agents.example.com");
  for (const base of ["http://192.168.1.7:2024", "http://[fe80::1]:2024", "nonsense"]) {
    expect(ownOrigin(base, "bot")).toBeUndefined();
  }
});
