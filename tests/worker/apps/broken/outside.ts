import { readFileSync } from "node:fs"; readFileSync("/etc/fstab.not"); export const graph = 1;
