import type { AuthConfig } from "../../protocol/config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { SecurityScheme, type SecurityRequirement } from "../../protocol/security-schemes.ts";

/** The ways in which callers authenticate, as a card declares them. */
export interface CardSecurity {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** The requirements, of which a caller has to meet one. */
  readonly requirements: readonly SecurityRequirement[];
}

const KEY: CardSecurity = {
  schemes: new Map([["apiKey", { type: "apiKey", in: "header", name: "x-api-key" }]]),
  requirements: [{ apiKey: [] }],
};

/**
 * Returns what a card declares. An application's own authentication replaces the server's API key, so its schemes
 * count. When it has no scheme that is known here, the key is declared. Undefined when there is neither. Total.
 */
export function cardSecurity({
  keyed,
  auth,
}: {
  keyed: boolean;
  auth: AuthConfig | undefined;
}): CardSecurity | undefined {
  return declared(auth) ?? (keyed ? KEY : undefined);
}

function declared(auth: AuthConfig | undefined): CardSecurity | undefined {
  const { securitySchemes = {}, security } = auth?.openapi ?? {};
  const schemes = new Map<string, SecurityScheme>();
  for (const [name, written] of Object.entries(securitySchemes)) {
    const read = SecurityScheme.safeParse(written);
    if (read.success) schemes.set(name, read.data);
  }
  if (schemes.size === 0) return undefined;
  // Half of a requirement would mislead, so one with an unknown scheme is left out as a whole.
  const known = security?.filter((one) => Object.keys(one).every((name) => schemes.has(name)));
  return { schemes, requirements: known ?? [...schemes.keys()].map((name) => ({ [name]: [] })) };
}

/** Returns the members of a card of v0.3. */
export function securityV03(security: CardSecurity | undefined): JsonObject {
  if (!security) return {};
  const { schemes, requirements } = security;
  return {
    securitySchemes: Object.fromEntries(schemes),
    ...(requirements.length > 0 && { security: requirements }),
  };
}

/** Returns the members of a card of v1.0. */
export function securityV1(security: CardSecurity | undefined): JsonObject {
  if (!security) return {};
  const { schemes, requirements } = security;
  const lists = requirements.map((one) => Object.entries(one).map(([name, list]) => [name, { list }] as const));
  return {
    securitySchemes: Object.fromEntries(Array.from(schemes, ([name, scheme]) => [name, schemeV1(scheme)])),
    ...(lists.length > 0 && { securityRequirements: lists.map((one) => ({ schemes: Object.fromEntries(one) })) }),
  };
}

/** Returns the members of a card for both generations, with each scheme in both forms at once. */
export function securityForAll(security: CardSecurity | undefined): JsonObject {
  if (!security) return {};
  const both = Array.from(security.schemes, ([name, scheme]) => [name, { ...scheme, ...schemeV1(scheme) }] as const);
  return { ...securityV03(security), ...securityV1(security), securitySchemes: Object.fromEntries(both) };
}

function schemeV1(scheme: SecurityScheme): JsonObject {
  switch (scheme.type) {
    case "apiKey": {
      const { type: _, in: location, ...others } = scheme;
      return { apiKeySecurityScheme: { location, ...others } };
    }
    case "http": {
      const { type: _, ...others } = scheme;
      return { httpAuthSecurityScheme: others };
    }
    case "oauth2": {
      const { type: _, flows, ...others } = scheme;
      // v1.0 gets one flow, v0.3 all of them: a strict client of v1.0 refuses a second flow.
      const flow = Object.entries(flows).find(([, one]) => one !== undefined);
      return { oauth2SecurityScheme: { flows: Object.fromEntries(flow ? [flow] : []), ...others } };
    }
    case "openIdConnect": {
      const { type: _, ...others } = scheme;
      return { openIdConnectSecurityScheme: others };
    }
    case "mutualTLS": {
      const { type: _, ...others } = scheme;
      return { mtlsSecurityScheme: others };
    }
  }
}
