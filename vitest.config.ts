import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/e2e/**", "tests/**/apps/**"],
    pool: "forks",
    maxWorkers: 2,
    // Only what hangs comes near these: no test depends on speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: false,
  },
});
