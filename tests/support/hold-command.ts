/** A process that runs a command, to be killed: `node hold-command.ts program argument...`. Tells what it tells. */
import { runCommand } from "../../lib/drivers/builds/command.ts";

const [file = "", ...args] = process.argv.slice(2);
await runCommand({
  file,
  args,
  cwd: process.cwd(),
  env: { PATH: process.env.PATH },
  signal: new AbortController().signal,
  tell: ({ text }) => console.log(text),
});
