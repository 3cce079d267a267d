import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLent, lentVariables } from "../../../lib/rules/workers/lent-variables.ts";

const rest = fc.stringMatching(/^[A-Za-z0-9_]{0,12}$/);
const kept = fc.oneof(
  fc
    .tuple(fc.constantFrom("GRAPHLIB_", "DATABASE_", "LD_", "DYLD_", "NODE_", "NPM_", "SSH_", "OPENSSL_"), rest)
    .map(([start, end]) => start + end),
  fc.constantFrom("PATH", "HOME", "SHELL", "TMPDIR", "BASH_ENV", "NODE_OPTIONS", "LD_PRELOAD", "INIT_CWD"),
);
/** A name in another case. */
const spelt = (names: fc.Arbitrary<string>) =>
  fc.tuple(names, fc.boolean()).map(([name, lower]) => (lower ? name.toLowerCase() : name));

describe("of the server's environment, an application", () => {
  it("never receives variables of the platform or of the server's user, in any case", () => {
    fc.assert(
      fc.property(fc.dictionary(spelt(kept), fc.string()), fc.dictionary(rest, fc.string()), (own, others) => {
        const lent = lentVariables({ ...others, ...own });
        for (const name of Object.keys(own)) expect(lent).not.toHaveProperty([name]);
        for (const [name, value] of Object.entries(lent)) expect([name, value]).toEqual([name, others[name]]);
      }),
    );
  });

  it("receives keys of models and its own settings", () => {
    const names = ["OPENAI_API_KEY", "AGENT_MODEL", "LANGSMITH_API_KEY", "GITHUB_TOKEN", "PGHOST", "PATHS", "HOMEPAGE"];
    expect(names.filter((name) => !isLent(name))).toEqual([]);
  });
});
