import { describe, expect, test } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { configNotes } from "../../../lib/rules/preflight/config-notes.ts";

const notesOf = (config: object) => configNotes(AppConfig.parse({ graphs: { agent: "./agent.ts:graph" }, ...config }));
const settingsOf = (config: object) => notesOf(config).map(({ setting }) => setting);
const path = "./auth.ts:auth";

describe("the notes of a configuration", () => {
  test("are none for settings that have an effect or need none", () => {
    const full = {
      $schema: "https://example.com/schema.json",
      node_version: "22",
      python_version: "3.12",
      dependencies: ["."],
      env: ".env",
      checkpointer: { ttl: { strategy: "delete", default_ttl: 5, sweep_interval_minutes: 1, sweep_limit: 10 } },
      store: { ttl: { refresh_on_read: true, default_ttl: 5, sweep_interval_minutes: 1 } },
      webhooks: { env_prefix: "X_", headers: {}, url: { require_https: true } },
      http: { disable_webhooks: true, logging_headers: { includes: ["x-team"] }, cors: {}, mount_prefix: "/api" },
      auth: { path, disable_studio_auth: true, cache: { cache_keys: ["authorization"] } },
    };
    expect(notesOf(full)).toEqual([]);
  });

  test("name each setting that is accepted and has no effect, and give the reason", () => {
    expect(
      settingsOf({
        encryption: { path: "./encryption.py:encryption" },
        ui: { card: "./card.tsx" },
        dockerfile_lines: ["RUN true"],
        auth: { path, openapi: {} },
        checkpointer: { path: "./saver.py:saver" },
      }),
    ).toEqual(["encryption", "ui", "dockerfile_lines", "checkpointer.path"]);
    for (const { why } of notesOf({ encryption: {}, ui: {}, auth: { path, openapi: {} } }))
      expect(why).toMatch(/not|no /);
  });

  test("name settings that are misspelt", () => {
    expect(notesOf({ webhook: {}, http: { disable_thread: true } })).toEqual([
      { setting: "webhook", why: "no such setting is known" },
      { setting: "http.disable_thread", why: "no such setting is known" },
    ]);
  });

  test("warn of a studio that is open to anybody, and of a cache without keys", () => {
    expect(settingsOf({ auth: { path, disable_studio_auth: false, cache: {} } })).toEqual([
      "auth.cache",
      "auth.disable_studio_auth",
    ]);
  });
});
