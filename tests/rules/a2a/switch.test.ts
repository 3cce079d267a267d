import { expect, it } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { a2aSwitch } from "../../../lib/rules/a2a/switch.ts";

const graphs = { agent: "./agent.ts:graph" };
const lineOf = (more: object): string | undefined => a2aSwitch(AppConfig.parse({ graphs, ...more }))?.line;

it("A2A is on without a configuration, with one that does not mention it, and with a new enough api_version", () => {
  expect([a2aSwitch(undefined), lineOf({}), lineOf({ api_version: "0.4.21" })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("the line that switches A2A off is disable_a2a, or an api_version that is too old", () => {
  expect(a2aSwitch(AppConfig.parse({ graphs, http: { disable_a2a: true } }))).toEqual({
    line: '"http": { "disable_a2a": true }',
    why: "The application disables A2A.",
  });
  expect(lineOf({ api_version: "0.3.1" })).toBe('"api_version": "0.3.1"');
  expect(lineOf({ api_version: "0.3.1", http: { disable_a2a: true } })).toBe('"api_version": "0.3.1"');
  expect(lineOf({ api_version: "0.9", http: { disable_a2a: true } })).toBe('"http": { "disable_a2a": true }');
});
