import type { CompiledStateGraph } from "@langchain/langgraph";
// @ts-expect-error: JavaScript without types
import { builder } from "./builder.js";

export const graph: CompiledStateGraph<unknown, unknown, string> = builder().compile();
