/** What the process that compiles an application is told, and what it answers. Both are JSON. */
import * as z from "zod";

export interface CompileOrder {
  /** Absolute path of the source's root; nothing outside of it is read. */
  root: string;
  /** Absolute path of the application's folder; all other paths are from there. */
  folder: string;
  /** Where the code is entered. */
  entries: string[];
  /** Where to put what was compiled, once the packages are installed. Without it the code is only looked at. */
  into?: string;
  /** Version of Node.js that will run it: a major, or a whole one. */
  node?: string;
}

/** What the process that reads the types of graphs is told; it answers what it found of each, as JSON. */
export interface TypesOrder {
  /** Absolute path of the source's root. */
  root: string;
  /** Absolute path of the application's folder. */
  folder: string;
  /** `file:export` of each graph, as its configuration has it. */
  paths: Record<string, string>;
}

const Place = z.object({ file: z.string(), line: z.int(), column: z.int() });

export const CompileReport = z.object({
  /** How many files were compiled. */
  files: z.int(),
  /** What each entry exports; null where only running it would tell. */
  exports: z.record(z.string(), z.array(z.string()).nullable()),
  /** Packages that the code imports. */
  imports: z.array(
    Place.extend({
      package: z.string(),
      /** It may do without: the import is dynamic, or within a `try`. */
      optional: z.boolean(),
    }),
  ),
  /** What is wrong with the code: it can't be compiled, unless all of it is `optional`. */
  problems: z.array(
    Place.partial().extend({ text: z.string(), fix: z.string().optional(), optional: z.boolean().optional() }),
  ),
});
export type CompileReport = z.infer<typeof CompileReport>;
