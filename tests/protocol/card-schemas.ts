/** Agent cards of both generations (https://a2a-protocol.org/latest/specification/), closed: a key that is not named fails. */
import * as z from "zod";

const Filled = <S extends z.ZodType>(schema: S) => z.array(schema).min(1);
const Text = z.string().min(1);
const WebAddress = z.url({ protocol: /^https?$/ });
const Endpoint = z.url().refine((url) => !url.endsWith("/"));

const members = {
  name: Text,
  description: Text,
  version: Text,
  provider: z.strictObject({ organization: Text, url: WebAddress }).optional(),
  documentationUrl: WebAddress.optional(),
  iconUrl: WebAddress.optional(),
  defaultInputModes: Filled(Text),
  defaultOutputModes: Filled(Text),
  skills: Filled(
    z.strictObject({
      id: Text,
      name: Text,
      description: Text,
      tags: Filled(Text),
      examples: Filled(Text).optional(),
      inputModes: Filled(Text).optional(),
      outputModes: Filled(Text).optional(),
    }),
  ),
  signatures: Filled(z.strictObject({ protected: Text, signature: Text })).optional(),
};

const description = Text.optional();
const apiKey = { name: Text, description };
const http = { scheme: Text, bearerFormat: Text.optional(), description };
const openId = { openIdConnectUrl: Text, description };
const scopes = z.record(z.string(), z.string());
const refreshUrl = Text.optional();
const flows = {
  authorizationCode: z.strictObject({ authorizationUrl: Text, tokenUrl: Text, refreshUrl, scopes }),
  clientCredentials: z.strictObject({ tokenUrl: Text, refreshUrl, scopes }),
  implicit: z.strictObject({ authorizationUrl: Text, refreshUrl, scopes }),
  password: z.strictObject({ tokenUrl: Text, refreshUrl, scopes }),
};
const Place = z.enum(["header", "query", "cookie"]);

const oneFlow = z.union(Object.entries(flows).map(([name, flow]) => z.strictObject({ [name]: flow })));
const v1 = {
  apiKey: { apiKeySecurityScheme: z.strictObject({ location: Place, ...apiKey }) },
  http: { httpAuthSecurityScheme: z.strictObject(http) },
  oauth2: {
    oauth2SecurityScheme: z.strictObject({ flows: oneFlow, oauth2MetadataUrl: Text.optional(), description }),
  },
  openIdConnect: { openIdConnectSecurityScheme: z.strictObject(openId) },
  mutualTLS: { mtlsSecurityScheme: z.strictObject({ description }) },
};
const v03 = {
  apiKey: { type: z.literal("apiKey"), in: Place, ...apiKey },
  http: { type: z.literal("http"), ...http },
  oauth2: {
    type: z.literal("oauth2"),
    flows: z.strictObject(flows).partial(),
    oauth2MetadataUrl: Text.optional(),
    description,
  },
  openIdConnect: { type: z.literal("openIdConnect"), ...openId },
  mutualTLS: { type: z.literal("mutualTLS"), description },
};

const Scheme10 = z.union(Object.values(v1).map((shape) => z.strictObject(shape)));
const Scheme03 = z.discriminatedUnion("type", [
  z.strictObject(v03.apiKey),
  z.strictObject(v03.http),
  z.strictObject(v03.oauth2),
  z.strictObject(v03.openIdConnect),
  z.strictObject(v03.mutualTLS),
]);
const SchemeForAll = z.discriminatedUnion("type", [
  z.strictObject({ ...v03.apiKey, ...v1.apiKey }),
  z.strictObject({ ...v03.http, ...v1.http }),
  z.strictObject({ ...v03.oauth2, ...v1.oauth2 }),
  z.strictObject({ ...v03.openIdConnect, ...v1.openIdConnect }),
  z.strictObject({ ...v03.mutualTLS, ...v1.mutualTLS }),
]);

const Security = Filled(z.record(z.string(), z.array(z.string())));
const Requirements = Filled(
  z.strictObject({ schemes: z.record(z.string(), z.strictObject({ list: z.array(z.string()) })) }),
);
const supportedInterfaces = Filled(
  z.strictObject({ url: Endpoint, protocolBinding: z.literal("JSONRPC"), protocolVersion: z.enum(["1.0", "0.3"]) }),
);
const capabilities = { streaming: z.boolean(), pushNotifications: z.boolean() };
const extendedAgentCard = z.literal(true).optional();
const membersOf03 = {
  protocolVersion: z.literal("0.3.0"),
  url: Endpoint,
  preferredTransport: z.literal("JSONRPC"),
  additionalInterfaces: z.array(z.strictObject({ url: Endpoint, transport: z.literal("JSONRPC") })),
  supportsAuthenticatedExtendedCard: z.boolean(),
  security: Security.optional(),
};

export const Card10 = z.strictObject({
  ...members,
  supportedInterfaces,
  capabilities: z.strictObject({ ...capabilities, extendedAgentCard }),
  securitySchemes: z.record(z.string(), Scheme10).optional(),
  securityRequirements: Requirements.optional(),
});

export const Card03 = z.strictObject({
  ...members,
  ...membersOf03,
  capabilities: z.strictObject({ ...capabilities, stateTransitionHistory: z.boolean() }),
  securitySchemes: z.record(z.string(), Scheme03).optional(),
});

/** A card with the members of v0.3 and v1.0, and no others. */
export const CardForAll = z.strictObject({
  ...members,
  ...membersOf03,
  supportedInterfaces,
  capabilities: z.strictObject({ ...capabilities, stateTransitionHistory: z.boolean(), extendedAgentCard }),
  securitySchemes: z.record(z.string(), SchemeForAll).optional(),
  securityRequirements: Requirements.optional(),
});
