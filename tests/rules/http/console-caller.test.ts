import { expect, test } from "vitest";
import { consoleCaller } from "../../../lib/rules/http/console-caller.ts";

const cases = [
  ["open", undefined, false, false],
  ["open", undefined, true, true],
  ["operator", {}, true, false],
  ["operator", { disable_studio_auth: true }, true, false],
  ["disabled", { disable_studio_auth: true }, false, true],
  ["closed", {}, false, false],
  ["studio", {}, false, true],
  ["studio", { disable_studio_auth: false }, false, false],
] as const;

test.each(cases)(
  "the console is %s (auth %j, server with a key: %s, code shown: %s)",
  (caller, auth, keyed, passed) => {
    expect(consoleCaller({ auth, keyed, passed })).toBe(caller);
  },
);
