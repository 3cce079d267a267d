import { expect, test } from "vitest";
import { ORDINARY_USER, startServer } from "../support/server.ts";

test.runIf(process.getuid?.() === 0)("the server runs as an ordinary user too", async () => {
  const server = await startServer({ user: ORDINARY_USER });
  expect((await fetch(`${server.url}/ok`)).status).toBe(200);
  await server.stop();
});
