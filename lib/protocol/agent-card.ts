/** Configurable content of agent cards. Snake case and camel case are both in use, so both are accepted. */
import * as z from "zod";
import { nullish } from "./fields.ts";

/** Schema of text for a card. Lone surrogates are refused, because a signed card could not encode them. */
export const CardText = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .refine((text) => text.isWellFormed(), "expected whole characters");
const WebAddress = z.url({ protocol: /^https?$/, error: "expected an http or https address" }).max(2048);

/** Schema of media types such as `text/plain`, or `image/*` for all images. */
const MediaType = z
  .string()
  .trim()
  .max(255)
  .regex(/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/, 'expected a media type such as "text/plain" or "image/*"');
const Modes = nullish(z.array(MediaType).min(1).max(50));

const modes = { input_modes: Modes, inputModes: Modes, output_modes: Modes, outputModes: Modes };

const withModes = <W extends z.infer<z.ZodObject<typeof modes>>>(written: W): W => ({
  ...written,
  input_modes: written.input_modes ?? written.inputModes,
  output_modes: written.output_modes ?? written.outputModes,
});

export const CardSkill = z
  .looseObject({
    id: CardText,
    name: CardText,
    description: CardText,
    tags: nullish(z.array(CardText).max(50)).transform((tags) => (tags?.length ? tags : ["assistant"])),
    examples: nullish(z.array(CardText).max(50)),
    ...modes,
  })
  .transform(withModes);
export type CardSkill = z.infer<typeof CardSkill>;

const WrittenMembers = z.looseObject({
  name: nullish(CardText),
  description: nullish(CardText),
  version: nullish(CardText),
  provider: nullish(z.looseObject({ organization: CardText, url: WebAddress })),
  documentation_url: nullish(WebAddress),
  documentationUrl: nullish(WebAddress),
  icon_url: nullish(WebAddress),
  iconUrl: nullish(WebAddress),
  ...modes,
  skills: nullish(z.array(CardSkill).min(1).max(100)),
});

const inOneSpelling = <W extends z.infer<typeof WrittenMembers>>(written: W): W => ({
  ...withModes(written),
  documentation_url: written.documentation_url ?? written.documentationUrl,
  icon_url: written.icon_url ?? written.iconUrl,
});

export const CardMembers = WrittenMembers.transform(inOneSpelling);
export type CardMembers = z.infer<typeof CardMembers>;

/** Content of a card as configurations and the metadata of assistants contain it. */
export const CardConfig = WrittenMembers.extend({
  /** Members that authenticated callers see in addition, or instead. */
  extended: nullish(CardMembers),
}).transform(inOneSpelling);
export type CardConfig = z.infer<typeof CardConfig>;
