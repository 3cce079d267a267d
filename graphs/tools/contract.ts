// Defines the inputs and results of the tools, once: the tools implement them and the built-in model reads them.
import { z } from "zod";

export const CalculateInput = z.object({
  expression: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .describe("Arithmetic such as 12*(3+4), 17/100*230, sqrt(2), sin(45 deg), 20! or 5 km + 300 m"),
});
export const CalculateResult = z.object({ expression: z.string(), result: z.string() });

export const CurrentTimeInput = z.object({
  place: z
    .string()
    .trim()
    .max(60)
    .optional()
    .describe("A large city, a country with one time zone, or an IANA zone; leave out for the server's own zone"),
});
export const CurrentTimeResult = z.object({
  place: z.string().optional(),
  zone: z.string(),
  date: z.string(),
  time: z.string(),
  offset: z.string(),
  iso: z.string(),
});
export type CurrentTimeResult = z.infer<typeof CurrentTimeResult>;

export const ConvertUnitsInput = z.object({
  value: z.number().describe("How many of the first unit"),
  from: z.string().trim().min(1).max(40).describe("Unit to convert from: km, miles, °F, GiB, km/h, cups, …"),
  to: z.string().trim().min(1).max(40).describe("Unit to convert to"),
});
export const ConvertUnitsResult = z.object({
  from: z.string(),
  to: z.string(),
  value: z.string().describe("The number alone, in the unit converted to"),
});

export const SearchDocsInput = z.object({
  query: z.string().trim().min(1).max(300).describe("A question or a few key words about Graphlib"),
});
export const Passage = z.object({ file: z.string(), heading: z.string(), text: z.string() });
export type Passage = z.infer<typeof Passage>;
export const SearchDocsResult = z.object({
  query: z.string(),
  passages: z.array(Passage),
  note: z.string().optional(),
});
export type SearchDocsResult = z.infer<typeof SearchDocsResult>;

/** A call of one of the four tools, as an AI message holds it. */
export const ToolCall = z.discriminatedUnion("name", [
  z.object({ name: z.literal("calculate"), args: CalculateInput }),
  z.object({ name: z.literal("current_time"), args: CurrentTimeInput }),
  z.object({ name: z.literal("convert_units"), args: ConvertUnitsInput }),
  z.object({ name: z.literal("search_docs"), args: SearchDocsInput }),
]);
export type ToolCall = z.infer<typeof ToolCall>;
