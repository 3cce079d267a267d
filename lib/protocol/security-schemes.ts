/** How callers show who they are, as OpenAPI writes it. */
import * as z from "zod";
import { Line } from "./agent-card.ts";
import { nullish } from "./fields.ts";

const described = { description: nullish(Line) };
const scopes = nullish(
  z.record(
    Line,
    z.string().refine((text) => text.isWellFormed()),
  ),
).transform((all) => all ?? {});
const refreshUrl = nullish(Line);

/** Of OAuth 2.0, in the order in which a client with a choice takes them. */
const Flows = z.object({
  authorizationCode: nullish(z.object({ authorizationUrl: Line, tokenUrl: Line, refreshUrl, scopes })),
  clientCredentials: nullish(z.object({ tokenUrl: Line, refreshUrl, scopes })),
  implicit: nullish(z.object({ authorizationUrl: Line, refreshUrl, scopes })),
  password: nullish(z.object({ tokenUrl: Line, refreshUrl, scopes })),
});

/** The kinds that a card can tell of. */
export const SecurityScheme = z.discriminatedUnion("type", [
  z.object({ type: z.literal("apiKey"), in: z.enum(["header", "query", "cookie"]), name: Line, ...described }),
  z.object({ type: z.literal("http"), scheme: Line, bearerFormat: nullish(Line), ...described }),
  z.object({
    type: z.literal("oauth2"),
    flows: Flows.refine((flows) => Object.values(flows).some((flow) => flow !== undefined), "expected a flow"),
    oauth2MetadataUrl: nullish(Line),
    ...described,
  }),
  z.object({ type: z.literal("openIdConnect"), openIdConnectUrl: Line, ...described }),
  z.object({ type: z.literal("mutualTLS"), ...described }),
]);
export type SecurityScheme = z.infer<typeof SecurityScheme>;

/** By the name of a scheme its scopes: a caller needs all of one of them. */
export const SecurityRequirement = z.record(Line, z.array(Line));
export type SecurityRequirement = z.infer<typeof SecurityRequirement>;

/** `auth.openapi` of a configuration. What it says of kinds that are not known is ignored. */
export const OpenapiSecurity = z.looseObject({
  securitySchemes: nullish(z.record(Line, z.looseObject({ type: z.string() }))),
  security: nullish(z.array(SecurityRequirement)),
});
export type OpenapiSecurity = z.infer<typeof OpenapiSecurity>;
