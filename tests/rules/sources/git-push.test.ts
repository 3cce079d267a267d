import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PushPayload } from "../../../lib/protocol/push.ts";
import { isJson } from "../../../lib/rules/http/control-guard.ts";
import {
  decidePush,
  isOfPush,
  type Pushed,
  readDelivery,
  readEvent,
  readProof,
} from "../../../lib/rules/sources/git-push.ts";

const hex = fc.stringMatching(/^[0-9a-f]{64}$/);

describe("a signature", () => {
  test("is read in the form of each host", () => {
    fc.assert(
      fc.property(hex, (hmac) => {
        expect(readProof({ "x-hub-signature-256": `sha256=${hmac}` })).toEqual({ hmac });
        expect(readProof({ "x-gitea-signature": hmac })).toEqual({ hmac });
        expect(readProof({ "x-forgejo-signature": hmac })).toEqual({ hmac });
      }),
    );
    expect(readProof({ "x-gitlab-token": "secret" })).toEqual({ token: "secret" });
  });

  test("is not read in any other form: a short one, an older kind, none", () => {
    const text = fc.string().filter((one) => !/^(sha256=)?[0-9a-f]{64}$/.test(one));
    fc.assert(
      fc.property(text, (given) => {
        expect(readProof({ "x-hub-signature-256": given, "x-hub-signature": given })).toBeUndefined();
        expect(readProof({ "x-gitea-signature": given })).toBeUndefined();
      }),
    );
    expect(readProof({})).toBeUndefined();
    expect(readProof({ "x-gitlab-token": "" })).toBeUndefined();
    expect(readProof({ "x-hub-signature-256": "sha256=", "x-gitlab-token": "secret" })).toBeUndefined();
  });
});

test("an event is a push, a ping or other", () => {
  expect(readEvent({ "x-github-event": "push" })).toBe("push");
  expect(readEvent({ "x-gitlab-event": "Push Hook" })).toBe("push");
  expect(readEvent({ "x-gitea-event": "push" })).toBe("push");
  expect(readEvent({ "x-github-event": "ping" })).toBe("ping");
  for (const name of ["constructor", "issues", ""]) expect(readEvent({ "x-github-event": name })).toBe("other");
  expect(readEvent({})).toBe("other");
  expect(readDelivery({ "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" })).toMatch(/^72d3/);
  expect(readDelivery({ "x-github-delivery": "a b" })).toBeUndefined();
});

test("a body is JSON only by its content type", () => {
  for (const type of ["application/json", "application/json; charset=utf-8", "application/vnd.x+json"]) {
    expect(isJson(type)).toBe(true);
  }
  for (const type of [null, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
    expect(isJson(type)).toBe(false);
  }
});

const part = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

describe("a repository", () => {
  test("is found by each of its addresses, in any case, with and without .git", () => {
    const form = fc.constantFrom(
      (host: string, path: string) => `https://${host}/${path}.git`,
      (host: string, path: string) => `https://${host}/${path}`,
      (host: string, path: string) => `git@${host}:${path}.git`,
      (host: string, path: string) => `ssh://git@${host}:2222/${path}.git`,
      (host: string, path: string) => `HTTPS://${host.toUpperCase()}/${path.toUpperCase()}`,
    );
    const member = fc.constantFrom("clone_url", "ssh_url", "html_url", "git_http_url", "git_ssh_url", "web_url");
    const place = fc.constantFrom("repository", "project");
    fc.assert(
      fc.property(part, part, part, form, form, member, place, (host, owner, name, ours, theirs, key, where) => {
        const path = `${owner}/${name}`;
        const source = { type: "git" as const, url: ours(`${host}.example`, path) };
        const pushOf = (url: string) => PushPayload.parse({ [where]: { [key]: url, default_branch: "main" } });
        expect(isOfPush(source, pushOf(theirs(`${host}.example`, path)))).toBe(true);
        expect(isOfPush(source, pushOf(theirs(`${host}.example`, `${path}2`)))).toBe(false);
        expect(isOfPush(source, pushOf(theirs(`${host}2.example`, path)))).toBe(false);
      }),
    );
  });

  test("is never found for a folder, an archive, or an invalid address", () => {
    const payload = PushPayload.parse({ repository: { clone_url: "not an address", default_branch: "x" } });
    expect(isOfPush({ type: "folder", path: "/x" }, payload)).toBe(false);
    expect(isOfPush({ type: "git", url: "not an address" }, payload)).toBe(false);
    expect(isOfPush({ type: "git", url: "https://host/x" }, PushPayload.parse({}))).toBe(false);
  });
});

const sha = "0123456789012345678901234567890123456789";
const bot: Pushed = {
  name: "bot",
  source: { type: "git", url: "https://host/acme/bot" },
  settings: { auto_deploy: true },
  wanted: "running",
};
const push = (more: object = {}) =>
  PushPayload.parse({ ref: "refs/heads/main", after: sha, repository: { default_branch: "main" }, ...more });

describe("a push", () => {
  test("to the branch of a deployment deploys it, and to another branch does not", () => {
    fc.assert(
      fc.property(part, part, fc.boolean(), (own, pushed, named) => {
        const deployment = named ? { ...bot, source: { ...bot.source, ref: own } as Pushed["source"] } : bot;
        const payload = push({ ref: `refs/heads/${pushed}`, repository: { default_branch: named ? "other" : own } });
        const decided = decidePush(deployment, payload);
        if (own === pushed) expect(decided).toEqual({ sha });
        else expect(decided).toEqual({ why: `bot is deployed from ${own}, and this is ${pushed}` });
      }),
    );
  });

  test("to a tag, or to a full ref, deploys a deployment with that ref", () => {
    const of = (ref: string): Pushed => ({ ...bot, source: { type: "git", url: "https://host/acme/bot", ref } });
    expect(decidePush(of("v1"), push({ ref: "refs/tags/v1" }))).toEqual({ sha });
    expect(decidePush(of("refs/heads/main"), push())).toEqual({ sha });
    expect(decidePush(of(sha), push())).toHaveProperty("why");
  });

  test.each([
    ["that deletes", bot, push({ deleted: true }), "main was deleted"],
    ["that deletes, as GitLab says it", bot, push({ after: "0".repeat(40) }), "main was deleted"],
    ["that is not wanted", { ...bot, settings: { auto_deploy: false } }, push(), "auto_deploy of bot is off"],
    ["to what is stopped", { ...bot, wanted: "stopped" as const }, push(), "bot is stopped"],
    ["of an unknown default branch", bot, push({ repository: {} }), "which branch is the default"],
    ["of nothing", bot, PushPayload.parse({}), "no ref"],
  ])("%s deploys nothing, with the reason", (_, deployment, payload, why) => {
    expect(decidePush(deployment, payload)).toEqual({ why: expect.stringContaining(why) });
  });
});
