import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Run } from "../../../lib/protocol/runs.ts";
import {
  decideDelivery,
  fillHeaders,
  isPath,
  stampedBody,
  webhookBody,
  webhookProblem,
} from "../../../lib/rules/webhooks/webhook.ts";
import { shownRun } from "../../../lib/rules/runs/shown.ts";
import { newRun } from "../../drivers/runs.suite.ts";

describe("the address of a webhook", () => {
  test("is accepted or refused for any text, and a path leads to this server only", () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string({ unit: fc.constantFrom("/", "\\", "a", ".", "@", ":") }),
    );
    fc.assert(
      fc.property(text, (url) => {
        const problem = webhookProblem(url);
        const own = "http://127.0.0.1:2024/agents/default";
        if (isPath(url)) expect(new URL(own + url).href.startsWith(`${own}/`)).toBe(true);
        else if (problem === undefined) expect(new URL(url).protocol).toMatch(/^https?:$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(["https://example.com/a?b=c", "http://example.com:8080", "/hook?x=1", "https://bücher.example/"])(
    "%s is accepted",
    (url) => {
      expect(webhookProblem(url)).toBeUndefined();
    },
  );

  test.each([
    ["", "http(s) URL"],
    ["hook", "http(s) URL"],
    ["//example.com/a", "http(s) URL"],
    ["/\\example.com/a", "http(s) URL"],
    ["/\t/example.com/a", "http(s) URL"],
    ["/../../api/deployments", "http(s) URL"],
    ["/%2e%2e/other/runs", "http(s) URL"],
    ["ftp://example.com", "http(s) URL"],
    ["file:///etc/passwd", "http(s) URL"],
    ["javascript:alert(1)", "http(s) URL"],
    ["http://", "http(s) URL"],
    ["https://user:word@example.com", "without user and password"],
    [`https://example.com/${"a".repeat(65_536)}`, "at most 65536 characters"],
  ])("%j is refused: %s", (url, why) => {
    expect(webhookProblem(url)).toContain(why);
  });

  test("is restricted by the application's settings", () => {
    const domains = { allowed_domains: ["a.example", "*.B.example"] };
    expect(webhookProblem("https://a.example/x", domains)).toBeUndefined();
    expect(webhookProblem("https://x.y.b.example/", domains)).toBeUndefined();
    for (const host of ["b.example", "x.a.example", "evilb.example", "a.example.evil"]) {
      expect(webhookProblem(`https://${host}/`, domains)).toContain("a host among a.example, *.B.example");
    }
    expect(webhookProblem("http://a.example", { require_https: true })).toContain("https");
    expect(webhookProblem("https://a.example", { allowed_ports: [443] })).toBeUndefined();
    expect(webhookProblem("http://a.example", { allowed_ports: [443] })).toContain("a port among 443");
    expect(webhookProblem("/hook", { ...domains, require_https: true, allowed_ports: [443] })).toBeUndefined();
    expect(webhookProblem("/hook", { disable_loopback: true })).toContain("absolute");
    expect(webhookProblem("/hook", { max_url_length: 4 })).toContain("at most 4");
  });
});

test("headers are filled in from variables with their prefix, and from no others", () => {
  const fill = (value: string) =>
    fillHeaders({ env_prefix: "LG_", headers: { a: value } }, { LG_X: "$&1", SECRET: "s" });
  expect(fill("Bearer ${{ env.LG_X }} ${{env.LG_X}}")).toEqual({ headers: { a: "Bearer $&1 $&1" } });
  expect(fill("plain ${HOME}")).toEqual({ headers: { a: "plain ${HOME}" } });
  expect(fill("${{ env.SECRET }}").problem).toContain("SECRET does not begin with LG_");
  expect(fill("${{ env.LG_Y }}").problem).toContain("LG_Y is not set");
});

const runningRun = (): Run =>
  shownRun({ ...newRun(), status: "running", token: 1, started_at: null, ended_at: null, first_token_at: null });

test("the body has the run, its status, its values unchanged, and the times", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, ended) => {
      const run = runningRun();
      const body = webhookBody(run, {
        status: "error",
        error: "kaput",
        values: JSON.stringify(value),
        run_started_at: run.created_at,
      });
      const at = new Date(ended).toISOString();
      expect(JSON.parse(stampedBody(body, { ended, sent: ended + 5 }))).toEqual(
        JSON.parse(
          JSON.stringify({
            ...run,
            started_at: undefined,
            ended_at: undefined,
            first_token_at: undefined,
            status: "error",
            error: "kaput",
            values: value,
            run_started_at: run.created_at,
            updated_at: at,
            run_ended_at: at,
            webhook_sent_at: new Date(ended + 5).toISOString(),
          }),
        ),
      );
    }),
  );
  const run = runningRun();
  const large = webhookBody(run, { status: "success", values: `"${"x".repeat(11_000_000)}"`, run_started_at: null });
  expect(JSON.parse(large)).toMatchObject({ values: null, run_started_at: null, status: "success" });
});

describe("after an attempt", () => {
  const answered = fc.record({ was: fc.constant("answered" as const), status: fc.integer({ min: 100, max: 599 }) });
  const failed = fc.record({ was: fc.constantFrom("lost" as const, "refused" as const), why: fc.string() });

  test("a 2xx status ends a delivery; otherwise it is retried with growing delays, and given up at last", () => {
    fc.assert(
      fc.property(fc.oneof(answered, failed), (posted) => {
        const decisions = Array.from({ length: 10 }, (_, n) => decideDelivery(posted, n + 1));
        const taken = posted.was === "answered" && posted.status >= 200 && posted.status < 300;
        expect(decisions.every((one) => (one.do === "done") === taken)).toBe(true);
        const pauses = decisions.flatMap((one) => (one.do === "again" ? [one.inMs] : []));
        expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
        if (!taken) expect(decisions.at(-1)?.do).toBe("give up");
        if (posted.was === "refused" || (posted.was === "answered" && posted.status === 410))
          expect(pauses).toEqual([]);
        else if (!taken) expect(pauses).toHaveLength(7);
      }),
    );
  });
});
