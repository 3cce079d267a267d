import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { useGitSources } from "../support/git-sources.ts";
import { git, serveGit } from "../support/git-server.ts";
import { env, newSourceFetcher, temporary } from "../support/sources.ts";

const served = useGitSources();
const { repository, repositories } = served;

describe("where local sources are not allowed", () => {
  const closed = (addresses: Record<string, string[]> = {}) =>
    newSourceFetcher({
      env: { ...env, HTTPS_PROXY: undefined, all_proxy: "" },
      allowLocal: false,
      resolve: (host) => Promise.resolve(addresses[host] ?? []),
    });
  const refusal = async (url: string, addresses?: Record<string, string[]>) => {
    const alone = closed(addresses);
    const { message } = await alone.failure({ type: "git", url });
    await alone.remove();
    return message;
  };

  test.each([
    "https://127.0.0.1/a",
    "https://2130706433/a",
    "https://0x7f.1/a",
    "https://[::1]/a",
    "https://[::ffff:127.0.0.1]/a",
    "https://10.1.2.3/a",
    "https://169.254.169.254/latest",
    "https://localhost/a",
    "ssh://git@192.168.1.1/a",
    "git@172.16.0.1:a/b",
    "git@localhost:a/b",
  ])("%s is refused", async (url) => {
    expect(await refusal(url, { localhost: ["93.184.216.34"] })).toMatch(
      /is not a public host: this server does not fetch from there$/,
    );
  });

  test("names with such an address are refused, even if only one of their addresses is", async () => {
    const addresses = { "two.example": ["93.184.216.34", "10.0.0.1"] };
    expect(await refusal("https://two.example/a", addresses)).toContain("two.example is not a public host");
    expect(await refusal("git@two.example:a", addresses)).toContain("two.example is not a public host");
    expect(await refusal("https://none.example/a")).toBe("There is no host called none.example");
  });

  test("plain http and folders are refused", async () => {
    expect(await refusal("http://93.184.216.34/a")).toBe("Sources are not fetched over http here");
    const alone = closed();
    const { message } = await alone.failure({ type: "folder", path: repositories });
    expect(message).toBe("Folders of the server's machine are not taken as sources here");
    await expect(alone.look({ type: "folder", path: repositories })).rejects.toThrow("are not taken as sources here");
    await alone.remove();
  });

  const here = (address: string): boolean => address === "127.0.0.1";

  test("git connects to the checked addresses, and resolves no name itself", async () => {
    const { source, folder } = repository({ a: "1" });
    const remote = { protocols: ["http" as const], allowsAddress: here };
    const alone = newSourceFetcher({ remote, resolve: () => Promise.resolve(["127.0.0.1"]) });
    const url = source.url.replace("127.0.0.1", "repositories.invalid");
    expect((await alone.fetch({ ...source, url })).commit?.sha).toBe(git(folder, "rev-parse", "HEAD"));
    await alone.remove();
  });

  test("a name that later resolves to another address can't lead there", async () => {
    served.server.before = (_, response) => {
      response
        .writeHead(302, { location: `http://127.0.0.2:${served.server.port}/x/info/refs?service=git-upload-pack` })
        .end();
      return true;
    };
    const alone = newSourceFetcher({ remote: { protocols: ["http"], allowsAddress: here } });
    const { message } = await alone.failure({ type: "git", url: `${served.server.origin}/moving` });
    expect(message).toBe("127.0.0.2 is not a public host: this server does not fetch from there");
    served.server.before = undefined;
    await alone.remove();
  });
});

describe("over https", () => {
  const folder = temporary("certificate");
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const has = ((): boolean => {
    const name = ["-subj", "/CN=repositories.invalid", "-addext", "subjectAltName=DNS:repositories.invalid"];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert, ...name];
    return spawnSync("openssl", made).status === 0;
  })();
  const remote = { protocols: ["https" as const], allowsAddress: (address: string) => address === "127.0.0.1" };
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.skipIf(!has)("only a trusted certificate is accepted, at the checked address", async () => {
    const { source, folder: bot } = repository({ a: "1" });
    const secure = await serveGit(repositories, { tls: { key: readFileSync(key), cert: readFileSync(cert) } });
    const url = `https://repositories.invalid:${secure.port}${new URL(source.url).pathname}`;
    const strict = newSourceFetcher({ remote, resolve });
    expect(await strict.failure({ type: "git", url })).toMatchObject({
      message: "The certificate of repositories.invalid is not trusted here",
    });
    const trusting = newSourceFetcher({ remote, resolve, env: { ...env, SSL_CERT_FILE: cert } });
    expect((await trusting.fetch({ type: "git", url })).commit?.sha).toBe(git(bot, "rev-parse", "HEAD"));
    secure.before = (_, response) => {
      response.writeHead(302, { location: `http://repositories.invalid:${served.server.port}/x/info/refs` }).end();
      return true;
    };
    const down = await trusting.failure({ type: "git", url: url.replace(/\/r\d+$/, "/moved") });
    expect(down.message).toMatch(/not trusted here|Sources are not fetched over http here|has moved to where/);
    await Promise.all([secure.close(), strict.remove(), trusting.remove()]);
  });
});
