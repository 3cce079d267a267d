/** The process that compiles an application ahead, or only checks its code. It reads an order and writes a report. */
import { readFileSync } from "node:fs";
import { stdout } from "node:process";
import type { CompileOrder, CompileReport } from "../protocol/compile.ts";
import { writeCompiled } from "./modules/compiled.ts";
import { compileSource, messagesOf, needsCompiling, stopCompiler } from "./modules/compiler.ts";
import { fileName, problemOf, reach } from "./modules/reach.ts";
import { endTsConfigsAt } from "./modules/tsconfig.ts";
import { readOrder } from "./order.ts";

stdout.write(JSON.stringify(await compile(await readOrder<CompileOrder>())));
await stopCompiler();

async function compile({ into, node, ...code }: CompileOrder): Promise<CompileReport> {
  endTsConfigsAt(code.root);
  const { paths, ...reached } = await reach({ ...code, installed: into !== undefined });
  const isBroken = (): boolean => reached.problems.some(({ optional }) => optional !== true);
  if (into === undefined || isBroken()) return { ...reached, files: 0 };
  const files = [];
  for (const path of paths.filter(needsCompiling)) {
    const source = readFileSync(path, "utf8");
    try {
      files.push({ path, source, compiled: compileSource(path, source, node) });
    } catch (error) {
      const messages = messagesOf(error);
      if (!messages) throw error;
      reached.problems.push(...messages.map((message) => problemOf(message, fileName(code.folder, path))));
    }
  }
  if (isBroken()) return { ...reached, files: 0 };
  return { ...reached, files: writeCompiled(into, files) };
}
