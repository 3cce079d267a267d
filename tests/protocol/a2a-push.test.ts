import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSend } from "../../lib/protocol/a2a-input.ts";
import {
  parseOnePush,
  parsePushPlace,
  parseSetPush,
  type PushConfig,
  pushUrlField,
  renderPushConfig,
  renderPushConfigs,
} from "../../lib/protocol/a2a-push.ts";
import { v1Message } from "../api/a2a-raw.ts";

const dialect = fc.constantFrom("0.3" as const, "1.0" as const);
const id = fc.stringMatching(/^[a-zA-Z0-9 ._-]{1,40}$/);
const secret = fc.uuid();
const config = fc.record(
  {
    taskId: id,
    id,
    url: fc.webUrl(),
    token: secret,
    authentication: fc.record(
      { scheme: fc.constantFrom("Bearer", "Basic"), credentials: secret },
      { requiredKeys: ["scheme"] },
    ),
  },
  { requiredKeys: ["taskId", "url"] },
);

/** Writes a configuration as a client of this dialect does. */
function written({ taskId, authentication, ...others }: PushConfig, generation: "0.3" | "1.0"): object {
  const { scheme, credentials } = authentication ?? { scheme: "" };
  const auth = authentication && (generation === "1.0" ? { scheme, credentials } : { schemes: [scheme], credentials });
  const flat = { ...others, ...(auth && { authentication: auth }) };
  return generation === "1.0" ? { taskId, ...flat } : { taskId, pushNotificationConfig: flat };
}

describe("a push configuration", () => {
  test("is read as it was meant, from either generation", () => {
    fc.assert(
      fc.property(config, dialect, (meant, generation) => {
        const read = parseSetPush(JSON.parse(JSON.stringify(written(meant, generation))));
        expect(read).toEqual({ ok: true, value: meant });
      }),
    );
  });

  test("is rendered without its secrets, and the result can be set again", () => {
    fc.assert(
      fc.property(config, dialect, (meant, generation) => {
        const shown = JSON.stringify(renderPushConfig(meant, generation));
        const { token, authentication, ...open } = meant;
        for (const hidden of [token, authentication?.credentials]) if (hidden) expect(shown).not.toContain(hidden);
        const scheme = authentication && { authentication: { scheme: authentication.scheme } };
        expect(parseSetPush(JSON.parse(shown))).toEqual({ ok: true, value: { ...open, ...scheme } });
      }),
    );
  });

  test("has the id fields of its generation", () => {
    expect(parsePushPlace({ id: "task", pushNotificationConfigId: "c" }, "0.3")).toMatchObject({
      value: { taskId: "task", id: "c" },
    });
    expect(parsePushPlace({ task_id: "task", id: "c" }, "1.0")).toMatchObject({ value: { taskId: "task", id: "c" } });
    expect(parsePushPlace({ id: "task" }, "0.3")).toMatchObject({ ok: true, value: { taskId: "task" } });
    for (const [params, generation, field] of [
      [{ id: "task" }, "0.3", "pushNotificationConfigId"],
      [{ taskId: "task" }, "1.0", "id"],
      [{ id: "c" }, "1.0", "taskId"],
    ] as const) {
      expect(parseOnePush(params, generation)).toMatchObject({
        ok: false,
        error: { code: -32602, data: [{ fieldViolations: [{ field }] }] },
      });
    }
  });

  test("that is invalid is refused with the path of the wrong member, in a send as well", () => {
    const fieldOf = (read: object) =>
      (read as { error?: { data: { fieldViolations: { field: string }[] }[] } }).error?.data[0]?.fieldViolations[0]
        ?.field;
    expect(fieldOf(parseSetPush({ taskId: "t" }))).toBe(pushUrlField("1.0", "set"));
    expect(fieldOf(parseSetPush({ taskId: "t", pushNotificationConfig: {} }))).toBe(pushUrlField("0.3", "set"));
    for (const generation of ["0.3", "1.0"] as const) {
      const name = generation === "1.0" ? "taskPushNotificationConfig" : "pushNotificationConfig";
      const send = parseSend({ message: v1Message, configuration: { [name]: { url: 7 } } }, generation);
      expect(fieldOf(send)).toBe(pushUrlField(generation, "send"));
    }
  });
});

test("a list is an array in v0.3, and one page in v1.0", () => {
  const one = { taskId: "t", id: "c", url: "https://example.com" };
  expect(renderPushConfigs([one], "0.3")).toEqual([renderPushConfig(one, "0.3")]);
  expect(renderPushConfigs([one], "1.0")).toEqual({ configs: [renderPushConfig(one, "1.0")], nextPageToken: "" });
});
