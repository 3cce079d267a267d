/** The process that reads types for a worker that may not start threads. It reads an order and writes the types. */
import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { stdout } from "node:process";
import type { TypesOrder } from "../protocol/compile.ts";
import { parseGraphPath } from "../protocol/config.ts";
import type { SourceTypes } from "../protocol/worker.ts";
import { tolerateDenied } from "./modules/denied.ts";
import { sharedPackages } from "./modules/packages.ts";
import { createTypeReader } from "./schemas/program.ts";
import { endTsConfigsAt } from "./modules/tsconfig.ts";
import { readOrder } from "./order.ts";

tolerateDenied();
const order = await readOrder<TypesOrder>();
endTsConfigsAt(order.root);
const root = realpathSync(order.folder);
const files = Object.entries(order.paths).map(([graph, path]) => ({ graph, ...parseGraphPath(path) }));
const folders = [...files.map(({ file }) => dirname(resolve(root, file))), root];
const langgraph = sharedPackages(folders).resolve("@langchain/langgraph");
const read = createTypeReader([dirname(langgraph), import.meta.dirname]);
stdout.write(JSON.stringify(Object.fromEntries(files.map((one) => [one.graph, typesOf(one.file, one.exportName)]))));

/** Returns no types for a file that fails, because the others may still be read. */
function typesOf(file: string, exportName: string): SourceTypes {
  try {
    return read(resolve(root, file), exportName);
  } catch {
    return {};
  }
}
