/** Runs a command and prints its output, until a test kills it: `node hold-command.ts program argument...`. */
import { runCommand } from "../../lib/drivers/builds/command.ts";

const [file = "", ...args] = process.argv.slice(2);
await runCommand({
  file,
  args,
  cwd: process.cwd(),
  env: { PATH: process.env.PATH },
  signal: new AbortController().signal,
  writeLine: ({ text }) => console.log(text),
});
