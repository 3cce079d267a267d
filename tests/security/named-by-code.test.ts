/** Attacks by variables that a source sets, and by keys that a deployment's code sends. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, untilState } from "../support/control.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { ALLOWED, archive, deploy, folder, headers, KEY, runOperation } from "./fence-app.ts";

const isLinux = process.platform === "linux";
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describe.runIf(isLinux).each(serverUsers)("a server with a key of $as:", ({ user }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ user, env: { GRAPHLIB_API_KEY: KEY, TRUST_PROXY: "1" } });
  });
  afterAll(() => server.stop());

  test("keys that a deployment's code guesses lock nobody else out", async () => {
    await deploy(server, "guesser", folder);
    expect(await runOperation(server, "guesser", "guess", `${server.url}/api/deployments`)).toMatch(/401 .*429$/);
    expect((await call(server, "GET", "/deployments", undefined, headers)).status).toBe(200);
  });

  test("certificates that a source names must be its own files", async () => {
    const variables = { NODE_EXTRA_CA_CERTS: server.home, SSL_CERT_FILE: server.home };
    const body = { name: "certified", source: await archive(server), settings: ALLOWED, environment: { variables } };
    expect((await call(server, "POST", "/deployments", body, headers)).status).toBe(201);
    await untilState(server, "certified", ["live"], headers);
    await expect(runOperation(server, "certified", "read", join(server.home, "secret"))).rejects.toThrow(
      /^E[A-Z_]+$|ENOENT|EACCES/,
    );
  });
});
