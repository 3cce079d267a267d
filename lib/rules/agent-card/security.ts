import type { AuthConfig } from "../../protocol/config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { SecurityScheme, type SecurityRequirement } from "../../protocol/security-schemes.ts";

/** How callers show who they are, as a card tells it. */
export interface CardSecurity {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** A caller has to meet one of them. */
  readonly requirements: readonly SecurityRequirement[];
}

const KEY: CardSecurity = {
  schemes: new Map([["apiKey", { type: "apiKey", in: "header", name: "x-api-key" }]]),
  requirements: [{ apiKey: [] }],
};

/**
 * An application with its own authentication is asked in place of the server's key, so what it declares counts; where it
 * declares nothing that is known here, the key still opens. Undefined where nobody has to show anything, or nobody said
 * what. Total.
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
  // Half of what is needed would mislead: with a scheme that is not told, the whole requirement is not.
  const told = security?.filter((one) => Object.keys(one).every((name) => schemes.has(name)));
  return { schemes, requirements: told ?? [...schemes.keys()].map((name) => ({ [name]: [] })) };
}

/** The members of a card of v0.3. */
export function securityV03(security: CardSecurity | undefined): JsonObject {
  if (!security) return {};
  const { schemes, requirements } = security;
  return {
    securitySchemes: Object.fromEntries(schemes),
    ...(requirements.length > 0 && { security: requirements }),
  };
}

/** The members of a card of v1.0. */
export function securityV1(security: CardSecurity | undefined): JsonObject {
  if (!security) return {};
  const { schemes, requirements } = security;
  const lists = requirements.map((one) => Object.entries(one).map(([name, list]) => [name, { list }] as const));
  return {
    securitySchemes: Object.fromEntries(Array.from(schemes, ([name, scheme]) => [name, schemeV1(scheme)])),
    ...(lists.length > 0 && { securityRequirements: lists.map((one) => ({ schemes: Object.fromEntries(one) })) }),
  };
}

/** The members of a card for both: each scheme in both forms at once. */
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
      // One of them, where v0.3 has them all: a client that is strict refuses a second.
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
