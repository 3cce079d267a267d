/** Authentication schemes of an application's callers, in the form of OpenAPI. */
import * as z from "zod";
import { CardText } from "./agent-card.ts";
import { nullish } from "./fields.ts";

const described = { description: nullish(CardText) };
const scopes = nullish(
  z.record(
    CardText,
    z.string().refine((text) => text.isWellFormed()),
  ),
).transform((all) => all ?? {});
const refreshUrl = nullish(CardText);

/** Flows of OAuth 2.0, in the order in which clients prefer them. */
const Flows = z.object({
  authorizationCode: nullish(z.object({ authorizationUrl: CardText, tokenUrl: CardText, refreshUrl, scopes })),
  clientCredentials: nullish(z.object({ tokenUrl: CardText, refreshUrl, scopes })),
  implicit: nullish(z.object({ authorizationUrl: CardText, refreshUrl, scopes })),
  password: nullish(z.object({ tokenUrl: CardText, refreshUrl, scopes })),
});

/** The kinds of schemes that a card can contain. */
export const SecurityScheme = z.discriminatedUnion("type", [
  z.object({ type: z.literal("apiKey"), in: z.enum(["header", "query", "cookie"]), name: CardText, ...described }),
  z.object({ type: z.literal("http"), scheme: CardText, bearerFormat: nullish(CardText), ...described }),
  z.object({
    type: z.literal("oauth2"),
    flows: Flows.refine((flows) => Object.values(flows).some((flow) => flow !== undefined), "expected a flow"),
    oauth2MetadataUrl: nullish(CardText),
    ...described,
  }),
  z.object({ type: z.literal("openIdConnect"), openIdConnectUrl: CardText, ...described }),
  z.object({ type: z.literal("mutualTLS"), ...described }),
]);
export type SecurityScheme = z.infer<typeof SecurityScheme>;

/** Scopes, keyed by the name of a scheme. A caller must satisfy all schemes of one requirement. */
export const SecurityRequirement = z.record(CardText, z.array(CardText));
export type SecurityRequirement = z.infer<typeof SecurityRequirement>;

/** Section `auth.openapi` of a configuration. Schemes of unknown kinds are ignored. */
export const OpenapiSecurity = z.looseObject({
  securitySchemes: nullish(z.record(CardText, z.looseObject({ type: z.string() }))),
  security: nullish(z.array(SecurityRequirement)),
});
export type OpenapiSecurity = z.infer<typeof OpenapiSecurity>;
