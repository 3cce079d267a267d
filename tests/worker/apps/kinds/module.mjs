import { builder } from "./builder.js";

export const graph = builder().compile();
