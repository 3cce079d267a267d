import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { codeOf, parts, rawA2a, v1Message } from "./a2a-raw.ts";

const app = resolve(import.meta.dirname, "apps/pushed");
const guarded = useServer({ app, env: { GRAPHLIB_A2A_PUSH: "true" } });
const off = useServer({ app, env: { GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true" } });
const unwanted = useServer({ app: resolve(import.meta.dirname, "apps/a2a"), env: { GRAPHLIB_A2A_PUSH: "true" } });
let task: string;
beforeAll(async () => {
  task = (await at.send("ask", { message: { role: "user", parts } })).id;
});
const at = rawA2a(() => guarded);

const STRANGE = [
  "http://example.com/hook",
  "https://localhost/hook",
  "https://a.localhost./hook",
  "https://127.0.0.1/hook",
  "https://2130706433/hook",
  "https://0x7f.1/hook",
  "https://[::1]/hook",
  "https://[::ffff:127.0.0.1]/hook",
  "https://[::ffff:10.0.0.1]/hook",
  "https://10.1.2.3/hook",
  "https://172.16.0.1/hook",
  "https://192.168.0.1/hook",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/hook",
  "https://[fe80::1]/hook",
  "https://[fd00::1]/hook",
  "https://224.0.0.1/hook",
  "https://user:word@example.com/hook",
  "/threads",
  "//example.com/hook",
  "file:///etc/passwd",
  "ftp://example.com/hook",
  "hook",
];

const at03 = "configuration.pushNotificationConfig.url";
const at10 = "configuration.taskPushNotificationConfig.url";
const refusal = (field: string) => ({
  code: -32602,
  data: [{ fieldViolations: [{ field, description: expect.stringContaining("expected") }] }],
});

describe("without GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS", () => {
  test.each(STRANGE)("%s is refused in every method, and starts no task", async (url) => {
    const set03 = { taskId: task, pushNotificationConfig: { url } };
    expect((await at.request("ask", "tasks/pushNotificationConfig/set", set03)).error).toMatchObject(
      refusal("pushNotificationConfig.url"),
    );
    const set10 = { taskId: task, url };
    expect((await at.request("ask", "CreateTaskPushNotificationConfig", set10)).error).toMatchObject(refusal("url"));
    const send03 = { message: { role: "user", parts }, configuration: { pushNotificationConfig: { url } } };
    expect((await at.request("ask", "message/send", send03)).error).toMatchObject(refusal(at03));
    const send10 = { message: v1Message, configuration: { taskPushNotificationConfig: { url } } };
    expect((await at.request("ask", "SendMessage", send10)).error).toMatchObject(refusal(at10));
    const listed = await at.request("ask", "ListTasks", {});
    expect(listed.result).toMatchObject({ totalSize: 1 });
  });

  test("a public host with https is accepted", async () => {
    const url = "https://receiver.invalid/hook";
    expect((await at.request("ask", "CreateTaskPushNotificationConfig", { taskId: task, url })).result).toMatchObject({
      url,
    });
  });

  test("credentials without a scheme, and tokens that cannot stand in a header, are refused", async () => {
    const url = "https://receiver.invalid/hook";
    const set = (members: object) =>
      at.request("ask", "CreateTaskPushNotificationConfig", { taskId: task, url, ...members });
    const violation = (field: string) => ({ code: -32602, data: [{ fieldViolations: [{ field }] }] });
    expect((await set({ authentication: { credentials: "c" } })).error).toMatchObject(
      violation("authentication.scheme"),
    );
    expect((await set({ token: "a\r\nb: c" })).error).toMatchObject(violation("token"));
  });
});

describe.each([
  ["the operator has not switched pushes on", () => off],
  ["the application does not want them", () => unwanted],
])("where %s", (_, server) => {
  const { request } = rawA2a(server);

  test.each([
    "tasks/pushNotificationConfig/set",
    "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list",
    "tasks/pushNotificationConfig/delete",
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
  ])("%s is not supported", async (method) => {
    expect(await codeOf(request("ask", method, {}))).toBe(-32003);
  });

  test("a message with an address is refused, and starts no task", async () => {
    const url = "https://receiver.invalid/hook";
    const send03 = { message: { role: "user", parts }, configuration: { pushNotificationConfig: { url } } };
    expect(await codeOf(request("ask", "message/send", send03))).toBe(-32003);
    const send10 = { message: v1Message, configuration: { taskPushNotificationConfig: { url } } };
    expect(await codeOf(request("ask", "SendMessage", send10))).toBe(-32003);
    expect((await request("ask", "ListTasks", {})).result).toMatchObject({ totalSize: 0 });
  });
});
