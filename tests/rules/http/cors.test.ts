import fc from "fast-check";
import { expect, test } from "vitest";
import { CorsConfig } from "../../../lib/protocol/http-config.ts";
import { allowsOrigin, corsHeaders, preflightHeaders } from "../../../lib/rules/http/cors.ts";

const origin = fc.webUrl().map((url) => new URL(url).origin);
const cors = (config: object): CorsConfig => CorsConfig.parse(config);
const ALLOWED = "access-control-allow-origin";

test("without a configuration any page may call, and reads the headers that clients need", () => {
  expect(corsHeaders(undefined, "https://a.test")).toMatchObject({
    [ALLOWED]: "*",
    "access-control-expose-headers": expect.stringContaining("content-location"),
  });
  expect(preflightHeaders(undefined, "https://a.test", "x-api-key")).toMatchObject({
    "access-control-allow-methods": expect.stringContaining("PATCH"),
    "access-control-allow-headers": "x-api-key",
    "access-control-max-age": "600",
  });
});

test("without allow_origins, the server's own rule decides; with it, only the configuration does", () => {
  fc.assert(
    fc.property(
      origin,
      fc.boolean(),
      fc.constantFrom(undefined, {}, { allow_credentials: true }),
      (requestOrigin, near, more) => {
        const headers = corsHeaders(more && cors(more), requestOrigin, () => near);
        expect(headers).toMatchObject({ vary: "Origin" });
        expect(headers[ALLOWED]).toBe(near ? requestOrigin : undefined);
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
        expect(allowsOrigin(more && cors(more), requestOrigin, () => near)).toBe(near);
        expect(allowsOrigin(cors({ allow_origins: ["*"] }), requestOrigin, () => near)).toBe(true);
        expect(allowsOrigin(cors({ allow_origins: [] }), requestOrigin, () => near)).toBe(false);
      },
    ),
  );
  expect(corsHeaders(undefined, null, () => true)).toEqual({ vary: "Origin" });
});

test("an origin that is not listed is not allowed, and the response varies by origin", () => {
  fc.assert(
    fc.property(fc.array(origin), origin, fc.boolean(), (named, requestOrigin, credentials) => {
      const headers = corsHeaders(cors({ allow_origins: named, allow_credentials: credentials }), requestOrigin);
      expect(headers.vary).toBe("Origin");
      expect(headers[ALLOWED]).toBe(named.includes(requestOrigin) ? requestOrigin : undefined);
      if (!named.includes(requestOrigin)) expect(headers).not.toHaveProperty("access-control-allow-credentials");
    }),
  );
});

test("credentials are never allowed together with all origins", () => {
  const headers = corsHeaders(cors({ allow_origins: ["*"], allow_credentials: true }), "https://a.test");
  expect(headers[ALLOWED]).toBe("*");
  expect(headers).not.toHaveProperty("access-control-allow-credentials");
});

test("a pattern has to match the whole origin, and wins over the list", () => {
  const config = cors({ allow_origin_regex: String.raw`https://.*\.example\.test`, allow_origins: ["*"] });
  expect(corsHeaders(config, "https://app.example.test")[ALLOWED]).toBe("https://app.example.test");
  expect(corsHeaders(config, "https://app.example.test.evil.test")[ALLOWED]).toBeUndefined();
  expect(corsHeaders(config, null)[ALLOWED]).toBeUndefined();
  expect(corsHeaders(cors({ allow_origin_regex: "(" }), "(")[ALLOWED]).toBeUndefined();
});

test("methods, headers and age are the application's; its exposed headers are added to those that clients need", () => {
  const config = cors({ allow_methods: ["GET"], allow_headers: ["x-one"], expose_headers: ["x-two"], max_age: 5 });
  const headers = preflightHeaders(config, "https://a.test", "x-other");
  expect(headers).toMatchObject({
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "x-one",
    "access-control-max-age": "5",
  });
  expect(headers["access-control-expose-headers"]?.split(", ")).toEqual(
    expect.arrayContaining(["x-two", "content-location", "x-pagination-total"]),
  );
});
