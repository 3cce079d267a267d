import { statSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTools } from "../../lib/drivers/builds/tools.ts";
import { findNpm } from "../../lib/program-env.ts";
import { newContext, newFolder, removeFolders } from "../support/built-apps.ts";
import { INSTALL_MS } from "../support/built-packages.ts";
import { servePackages } from "../support/package-registry.ts";

afterAll(removeFolders);

test(
  "a tool that one process has installed is not replaced by another that began before",
  async () => {
    const registry = await servePackages({ tool: {} });
    const folder = newFolder();
    const { npm } = findNpm();
    const environment = { npm_config_registry: registry.url };
    // Each has locks of its own, as two processes do.
    const install = async (): Promise<number> => {
      const tools = createTools({ npm, environment, folder, network: {} });
      return statSync(dirname(await tools.package("tool", "1.0.0", newContext()))).ino;
    };
    const [one, other] = await Promise.all([install(), install()]);
    expect(other).toBe(one);
    await registry.close();
  },
  INSTALL_MS,
);
