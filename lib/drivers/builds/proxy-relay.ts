/**
 * Runs a command inside a fence that has no network, and forwards connections from a local port to the socket of the
 * install proxy. Arguments: socket, port, program, its arguments.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { connect, createServer } from "node:net";

const [socket = "", port = "", program = "", ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true });
  client.pipe(proxy).pipe(client);
  client.on("error", () => proxy.destroy()).once("close", () => proxy.destroy());
  proxy.on("error", () => client.destroy()).once("close", () => client.end());
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.once("error", () => process.exit(127));
  // Processes that are left inside end with this one.
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
