import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControlRequest, refuseCaller } from "../../../lib/rules/http/control-guard.ts";

const program: ControlRequest = {
  method: "POST",
  host: "localhost:2024",
  origin: null,
  site: null,
  contentType: "application/json",
};

describe("the control plane", () => {
  it("is open to programs and to the console's own pages, under each of the server's names", () => {
    for (const host of ["localhost:2024", "127.0.0.1:2024", "[::1]:2024", "bot.agents.localhost", "192.168.1.7:80"]) {
      expect(refuseCaller({ ...program, host })).toBeUndefined();
      expect(refuseCaller({ ...program, host, origin: `http://${host}`, site: "same-origin" })).toBeUndefined();
    }
    const publicUrl = "https://agents.example.com";
    const behindProxy = { ...program, host: "agents.example.com", publicUrl };
    expect(refuseCaller({ ...behindProxy, origin: publicUrl, site: "same-origin" })).toBeUndefined();
    expect(refuseCaller({ ...program, host: "localhost", publicUrl, origin: publicUrl })).toBeUndefined();
  });

  it("is closed to every host name that is not the server's", () => {
    fc.assert(
      fc.property(fc.domain(), fc.option(fc.nat(65_535)), (name, port) => {
        fc.pre(name !== "localhost" && !name.endsWith(".localhost"));
        const host = port === null ? name : `${name}:${port}`;
        expect(refuseCaller({ ...program, host })).toMatch(/PUBLIC_URL/);
        expect(refuseCaller({ ...program, method: "GET", host, publicUrl: "https://other.example" })).toMatch(
          /PUBLIC_URL/,
        );
      }),
    );
    expect(refuseCaller({ ...program, host: null })).toMatch(/PUBLIC_URL/);
    expect(refuseCaller({ ...program, host: "localhost.evil.com" })).toMatch(/PUBLIC_URL/);
  });

  it("is closed to pages of other origins, also of a deployment's own address", () => {
    const origins = [
      "https://evil.example",
      "null",
      "http://bot.agents.localhost:2024",
      "http://localhost:3000",
      "nonsense",
    ];
    for (const origin of origins) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        expect(refuseCaller({ ...program, method, origin })).toMatch(/other origins/);
      }
    }
    for (const site of ["cross-site", "same-site", "anything"]) {
      expect(refuseCaller({ ...program, site })).toMatch(/other origins/);
    }
  });

  it("refuses bodies that a page elsewhere can send without a preflight request", () => {
    for (const contentType of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      " text/plain;charset=UTF-8",
      null,
    ]) {
      expect(refuseCaller({ ...program, contentType })).toMatch(/application\/json/);
      expect(refuseCaller({ ...program, contentType, method: "GET" })).toBeUndefined();
    }
  });

  it("never throws", () => {
    const text = fc.option(fc.string());
    fc.assert(
      fc.property(text, text, text, text, fc.string(), (host, origin, site, contentType, publicUrl) => {
        refuseCaller({ method: "POST", host, origin, site, contentType, publicUrl });
      }),
    );
  });
});
