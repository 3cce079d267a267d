import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeRepository } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

/** Replaces `ssh`: it writes down its arguments and key, and then serves the repository or prints a message of ssh. */
const SSH = (folder: string) => `#!/bin/sh
printf '%s\\n' "$@" >"${folder}/arguments"
env >"${folder}/environment"
for word in "$@"; do
  case $word in
    IdentityFile=none) ;;
    IdentityFile=*)
      key=$(printf %s "\${word#IdentityFile=}" | sed 's/^"//; s/"$//; s/%%/%/g')
      stat -c %a "$key" >"${folder}/mode"
      cat "$key" >"${folder}/key"
      ;;
  esac
  command=$word
done
if [ -f "${folder}/says" ]; then cat "${folder}/says" >&2; exit 255; fi
cd "${folder}" && eval "$command"
`;

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\r\nabc\r\n-----END OPENSSH PRIVATE KEY-----";

let folder: string;
let repositories: string;
let place: SourceFetcher;
let sha: string;
beforeAll(() => {
  folder = temporary("ssh with a space");
  repositories = temporary("over-ssh");
  sha = makeRepository(join(repositories, "bot"), { a: "1" });
  writeFileSync(join(folder, "ssh"), SSH(folder));
  chmodSync(join(folder, "ssh"), 0o755);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(repositories, { recursive: true, force: true });
});
beforeEach(() => {
  const home = temporary("home with a % and a ' in it");
  place = newSourceFetcher({ ssh: join(folder, "ssh"), home });
});
afterEach(async () => {
  for (const name of ["arguments", "environment", "mode", "key", "says"]) rmSync(join(folder, name), { force: true });
  await place.remove();
});

const seen = (name: string) => readFileSync(join(folder, name), "utf8");
const settings = () =>
  new Map(
    seen("arguments")
      .split("\n")
      .map((line) => line.split("=") as [string, string]),
  );
const source = (url: string) => ({ type: "git" as const, url });

describe("a repository over ssh", () => {
  test.each([
    ["git@repos.invalid:bot", "git@repos.invalid", undefined],
    ["ssh://git@repos.invalid/bot", "git@repos.invalid", undefined],
    ["ssh://git@repos.invalid:2222/bot", "git@repos.invalid", "2222"],
  ])("is fetched from %s with its key, which only the server's user may read", async (url, host, port) => {
    const { commit, root } = await place.fetch(
      source(url.replace("/bot", `${repositories}/bot`).replace(":bot", `:${repositories}/bot`)),
      {
        credentials: { deploy_key: KEY },
      },
    );
    expect(commit?.sha).toBe(sha);
    expect(await filesIn(root)).toEqual(["a"]);
    expect(seen("mode").trim()).toBe("600");
    expect(seen("key")).toBe(`${KEY.replaceAll("\r", "")}\n`);
    const words = seen("arguments").split("\n");
    expect(words).toContain(host);
    expect(words[words.indexOf("-p") + 1]).toBe(port ?? words[0]);
  });

  test("uses no setting, key, agent or known host of the machine", async () => {
    await place.fetch(source(`git@repos.invalid:${repositories}/bot`), { credentials: { deploy_key: KEY } });
    expect(seen("arguments").split("\n").slice(0, 2)).toEqual(["-F", "none"]);
    expect(Object.fromEntries(settings())).toMatchObject({
      BatchMode: "yes",
      GlobalKnownHostsFile: "/dev/null",
      IdentitiesOnly: "yes",
      IdentityAgent: "none",
      ProxyCommand: "none",
      StrictHostKeyChecking: "accept-new",
      UserKnownHostsFile: `"${join(place.home, "known_hosts").replace("%", "%%")}"`,
    });
    expect(seen("environment")).not.toMatch(/^(SSH_AUTH_SOCK|HOME=\/root|NODE_ENV|VITEST)/m);
  });

  test("leaves no key behind", async () => {
    await place.fetch(source(`git@repos.invalid:${repositories}/bot`), { credentials: { deploy_key: KEY } });
    writeFileSync(join(folder, "says"), "git@repos.invalid: Permission denied (publickey).\n");
    await place.failure(source(`git@repos.invalid:${repositories}/other`), { deploy_key: KEY });
    for (const file of await filesIn(place.home)) {
      expect(readFileSync(join(place.home, file), "latin1")).not.toContain("PRIVATE KEY");
    }
  });

  test("connects to the checked address, under the host's own name", async () => {
    const closed = newSourceFetcher({
      ssh: join(folder, "ssh"),
      allowLocal: false,
      resolve: () => Promise.resolve(["2606:2800:220:1::1", "93.184.216.34"]),
    });
    await closed.fetch(source(`git@repos.invalid:${repositories}/bot`));
    expect(settings().get("HostName")).toBe("93.184.216.34");
    expect(settings().get("HostKeyAlias")).toBe("repos.invalid");
    expect(settings().get("IdentityFile")).toBe("none");
    await closed.fetch(source(`ssh://git@repos.invalid:2222${repositories}/bot`));
    expect(settings().get("HostKeyAlias")).toBe("[repos.invalid]:2222");
    await closed.remove();
  });

  test.each([
    ["git@h: Permission denied (publickey).", "h does not let this deploy key read h/bot"],
    ['Load key "x": error in libcrypto\ngit@h: Permission denied (publickey).', "The deploy key can't be read"],
    ["ssh: Could not resolve hostname h: Name or service not known", "There is no host called h"],
    [
      "@@@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @@@\nHost key verification failed.",
      "h shows another host key than it did before",
    ],
    ["ssh: connect to host h port 22: Connection refused", "h can't be reached"],
    ["ssh: connect to host h port 22: Connection timed out", "h did not answer in time"],
    ["ERROR: Repository not found.", "There is no repository h/bot, or these credentials don't show it"],
    ["fatal: '/bot' does not appear to be a git repository", "There is no git repository at h/bot"],
    ["kex_exchange_identification: Connection closed by remote host", "The connection to h ended early"],
  ])("reports what is wrong when ssh prints %j", async (output, message) => {
    writeFileSync(join(folder, "says"), `${output}\n`);
    expect((await place.failure(source("git@h:bot.git"), { deploy_key: KEY })).message).toBe(message);
  });

  test("needs a key, and no token", async () => {
    writeFileSync(join(folder, "says"), "git@h: Permission denied (publickey).\n");
    expect(await place.failure(source("git@h:bot"))).toEqual({
      message: "h/bot needs credentials, or does not exist",
      fix: "Check the address. For a private repository, give a deploy key that may read it",
    });
    rmSync(join(folder, "arguments"));
    expect((await place.failure(source("git@h:bot"), { token: "t" })).message).toBe(
      "A token is for https addresses, and this is an ssh address",
    );
    expect(existsSync(join(folder, "arguments"))).toBe(false);
  });
});
