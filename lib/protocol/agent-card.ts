import * as z from "zod";
import { nullish } from "./fields.ts";
import { isObject } from "./json.ts";

/** Members that both ways of writing are in use of; everything here says the first. */
const SPELLINGS = new Map([
  ["documentationUrl", "documentation_url"],
  ["iconUrl", "icon_url"],
  ["inputModes", "input_modes"],
  ["outputModes", "output_modes"],
]);

/** An object with its members named in one way; where both are there, the one with underscores counts. */
export function inOneSpelling(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !Object.hasOwn(value, SPELLINGS.get(name) ?? ""));
  return Object.fromEntries(entries.map(([name, member]) => [SPELLINGS.get(name) ?? name, member]));
}

/** Text for a card: without halves of characters, which nothing that signs could encode. */
export const Line = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .refine((text) => text.isWellFormed(), "expected whole characters");
const WebAddress = z.url({ protocol: /^https?$/, error: "expected an http or https address" }).max(2048);

/** `text/plain`; `image/*` for all images. */
const MediaType = z
  .string()
  .trim()
  .max(255)
  .regex(/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/, 'expected a media type such as "text/plain" or "image/*"');
const Modes = nullish(z.array(MediaType).min(1).max(50));

export const CardSkill = z.preprocess(
  inOneSpelling,
  z.looseObject({
    id: Line,
    name: Line,
    description: Line,
    tags: nullish(z.array(Line).max(50)).transform((tags) => (tags?.length ? tags : ["assistant"])),
    examples: nullish(z.array(Line).max(50)),
    input_modes: Modes,
    output_modes: Modes,
  }),
);
export type CardSkill = z.infer<typeof CardSkill>;

const members = {
  name: nullish(Line),
  description: nullish(Line),
  version: nullish(Line),
  provider: nullish(z.looseObject({ organization: Line, url: WebAddress })),
  documentation_url: nullish(WebAddress),
  icon_url: nullish(WebAddress),
  input_modes: Modes,
  output_modes: Modes,
  skills: nullish(z.array(CardSkill).min(1).max(100)),
};

/** What somebody wants a card to say. */
export const CardMembers = z.preprocess(inOneSpelling, z.looseObject(members));
export type CardMembers = z.infer<typeof CardMembers>;

/** As it stands in the configuration and in an assistant's metadata. */
export const CardConfig = z.preprocess(
  inOneSpelling,
  z.looseObject({
    ...members,
    /** What callers that have shown who they are see beside, or in place of it. */
    extended: nullish(CardMembers),
  }),
);
export type CardConfig = z.infer<typeof CardConfig>;
