import { readFileSync } from "node:fs"; readFileSync(import.meta.dirname + "/data.txt"); export const graph = 1;
