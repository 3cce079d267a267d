/** The file in which the graphs of `tests/api/apps/durable` write every node that starts. */
import { readFileSync } from "node:fs";

export interface StartedNode {
  run: string;
  node: string;
  /** When it started, in ms since 1970. */
  at: number;
  /** The process of the worker. */
  pid: number;
}

export function readTrace(file: string): StartedNode[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [run = "", node = "", at, pid] = line.split(" ");
    return { run, node, at: Number(at), pid: Number(pid) };
  });
}
