import * as z from "zod";

/** An optional field where an explicit null means the same as leaving it out. */
export const nullish = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** Booleans in a query: `1`, `true`, `True`, `yes`; `0`, `false`, `False`, `no`, empty. */
export const QueryBoolean = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["1", "true", "yes", "0", "false", "no", ""]))
  .transform((text) => text === "1" || text === "true" || text === "yes");

/** Offset pagination of the search bodies. */
export const Page = {
  limit: nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 10),
  offset: nullish(z.int().min(0)).transform((offset) => offset ?? 0),
};

/** A list in a query: one JSON array, repeated keys, or comma separated. */
export const QueryList = z.union([z.string(), z.array(z.string())]).transform((value) => {
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part) => {
    if (part.startsWith("[")) {
      const parsed = z.array(z.string()).safeParse(parseJson(part));
      if (parsed.success) return parsed.data;
    }
    return part.split(",").filter((item) => item !== "");
  });
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
