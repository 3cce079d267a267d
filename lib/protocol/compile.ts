/** JSON input and output of the child processes that compile an application and read its types. */
import * as z from "zod";

export interface CompileOrder {
  /** Absolute path of the source's root; nothing outside of it is read. */
  root: string;
  /** Absolute path of the application's folder, to which all other paths are relative. */
  folder: string;
  /** Entry points of the code. */
  entries: string[];
  /** Output folder, once the packages are installed. Without it the code is only analysed. */
  into?: string;
  /** Version of Node.js that will run the code: only the major, or all of it. */
  node?: string;
}

/** Input of the process that reads the types of graphs. Its output is a `SourceTypes` for each graph. */
export interface TypesOrder {
  /** Absolute path of the source's root. */
  root: string;
  /** Absolute path of the application's folder. */
  folder: string;
  /** `file:export` of each graph, as in the configuration. */
  paths: Record<string, string>;
}

const SourcePosition = z.object({ file: z.string(), line: z.int(), column: z.int() });

export const CompileReport = z.object({
  /** The number of compiled files. */
  files: z.int(),
  /** Exports of each entry point; null if only running it would show them. */
  exports: z.record(z.string(), z.array(z.string()).nullable()),
  /** Packages that the code imports. */
  imports: z.array(
    SourcePosition.extend({
      package: z.string(),
      /** True if the code may work without it: the import is dynamic, or within a `try`. */
      optional: z.boolean(),
    }),
  ),
  /** Problems of the code. It can't be compiled unless all of them are `optional`. */
  problems: z.array(
    SourcePosition.partial().extend({ text: z.string(), fix: z.string().optional(), optional: z.boolean().optional() }),
  ),
});
export type CompileReport = z.infer<typeof CompileReport>;
