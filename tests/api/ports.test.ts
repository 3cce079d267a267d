import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../support/server.ts";

const USUAL = 2024;

let other: Server | undefined;
beforeAll(async () => {
  const server = createServer();
  server.listen(USUAL, "127.0.0.1");
  try {
    await once(server, "listening");
    other = server;
  } catch {
    // Another program has the port already, which serves the test as well.
  }
});
afterAll(() => void other?.close());

test("without PORT, a server takes the next free port when the usual one is taken, and prints it", async () => {
  const server = await startServer({ env: { PORT: "" } });
  const { port } = new URL(server.url);
  expect(Number(port)).toBeGreaterThan(USUAL);
  await expect.poll(() => server.output()).toContain(`Another program has port ${USUAL}`);
  await expect.poll(() => server.output()).toContain(`GRAPHLIB_URL=http://localhost:${port}`);
  await server.stop();
});

test("a server with PORT fails to start when that port is taken", async () => {
  await expect(startServer({ env: { PORT: String(USUAL) } })).rejects.toThrow(
    /The port is in use: stop the other server, or set PORT to a free one\./,
  );
});
