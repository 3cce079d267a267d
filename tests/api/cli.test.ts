import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { DeploymentRecord } from "../../lib/protocol/control.ts";
import { LogLine, Revision } from "../../lib/protocol/revisions.ts";
import { commit, type GitServer, makeRepository, serveGit, write } from "../support/git-server.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "a key for the command line";
const COMMAND = resolve(import.meta.dirname, "../../lib/cli/graphlib.sh");
const folder = mkdtempSync(join(tmpdir(), "graphlib-cli-"));
const repository = join(folder, "repositories", "Bot_2");
const server = useServer({ own: true, env: { GRAPHLIB_API_KEY: KEY } });
let git: GitServer;
let url: string;

beforeAll(async () => {
  makeRepository(repository, files("one"));
  git = await serveGit(join(folder, "repositories"));
  url = `${git.origin}/Bot_2/.git`;
});
afterAll(async () => {
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});

function files(reply: string) {
  const graph = `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
console.log("loaded ${reply}");
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("${reply}" + (process.env.MARK ?? ""))] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`;
  return { "graphlib.json": `{\n  "graphs": { "agent": "./src/agent.ts:graph" }\n}\n`, "src/agent.ts": graph };
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

async function graphlib(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(COMMAND, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "test", GRAPHLIB_URL: server.url, GRAPHLIB_API_KEY: KEY, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, out, err };
}

async function answer<S extends z.ZodType>(schema: S, ...args: string[]): Promise<z.infer<S>> {
  const { code, out, err } = await graphlib([...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return schema.parse(JSON.parse(out));
}

async function replyOf(name: string): Promise<string> {
  const client = new Client({ apiUrl: `${server.url}/agents/${name}`, apiKey: KEY });
  const values = (await client.runs.wait(null, "agent", { input: { messages: [] } })) as {
    messages: { content: string }[];
  };
  return values.messages.at(-1)?.content ?? "";
}

const Deployed = z.object({ deployment: DeploymentRecord, revision: Revision });

describe("a repository", () => {
  test("is deployed under its name and followed until it is live", async () => {
    const { code, out, err } = await graphlib(["deploy", url, "--follow"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`Revision 1 of bot-2, from ${url}`);
    for (const step of ["cloning", "validating", "installing", "building", "starting", "checking"]) {
      expect(out).toMatch(new RegExp(`^✓ ${step} +\\d+\\.\\d s`, "m"));
    }
    expect(out.trim().split("\n").at(-1)).toBe(`Live at ${server.url}/agents/bot-2`);
    expect(out).not.toContain("\u001B");
    expect(await replyOf("bot-2")).toBe("one");
  });

  test("that is deployed again has a second revision, with the variables of a file", async () => {
    commit(repository, files("two"), "second");
    writeFileSync(join(folder, "two.env"), "MARK=!\n");
    const { deployment, revision } = await answer(Deployed, "deploy", url, "--env-file", "two.env", "--follow");
    expect(revision).toMatchObject({ number: 2, state: "live", commit: { message: "second" } });
    expect(deployment.live).toBe(2);
    expect(await replyOf("bot-2")).toBe("two!");
  });

  test("that is broken ends the command with code 1, the line and a fix", async () => {
    commit(repository, { "src/agent.ts": "export const app = 1;\n" }, "broken");
    const { code, out, err } = await graphlib(["deploy", url, "-f"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✓ cloning/m);
    expect(err).toMatch(
      /^Revision 3 of bot-2 failed in validating: .*no export "graph".*\(graphlib\.json:2:\d+\)\n {2}\S/,
    );
    const json = await graphlib(["deploy", url, "-f", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      revision: { number: 4, problem: { file: "graphlib.json", line: 2 } },
    });
    expect(JSON.parse(json.err)).toMatchObject({ error: { message: expect.stringContaining("graphlib.json:2") } });
    expect(await replyOf("bot-2")).toBe("two!");
  });

  test("of another kind takes an existing name only with --name", async () => {
    const other = join(folder, "Bot_2");
    write(other, files("other"));
    const { code, err } = await graphlib(["deploy", other]);
    expect(code).toBe(1);
    expect(err).toContain(`"bot-2" is deployed from ${url}`);
    expect(err).toContain("--name bot-2");
  });

  test("is rolled back to an earlier revision", async () => {
    const { code, out } = await graphlib(["rollback", "bot-2", "1", "--follow"]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("✓ checking") });
    expect(await replyOf("bot-2")).toBe("one!");
  });
});

test("a rollback to code that cannot read the threads' state needs --force", async () => {
  const app = join(folder, "forced");
  const graph = (keys: string) => ({
    ...files(""),
    "src/agent.ts": `
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(Annotation.Root({ text: Annotation<string>, ${keys} }))
  .addNode("say", () => ({ text: "said" }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`,
  });
  write(app, graph(""));
  await answer(Deployed, "deploy", app, "--follow");
  write(app, graph("notes: Annotation<string>"));
  await answer(Deployed, "deploy", app, "--follow");
  const client = new Client({ apiUrl: `${server.url}/agents/forced`, apiKey: KEY });
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "agent", { input: { text: "x", notes: "kept" } });
  const refused = await graphlib(["rollback", "forced", "1"]);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/state key "notes"[^]*\n {2}Add --force to this command\.\n$/),
  });
  const { revision } = await answer(Deployed, "rollback", "forced", "1", "--force", "--follow");
  expect(revision).toMatchObject({ number: 3, state: "live", build_of: 1 });
});

describe("a folder", () => {
  test("is served as it is on disk, with uncommitted changes", async () => {
    const app = join(folder, "desk");
    makeRepository(app, files("committed"));
    write(app, files("uncommitted"));
    expect(await graphlib(["deploy", "desk", "--follow"])).toMatchObject({ code: 0, err: "" });
    expect(await replyOf("desk")).toBe("uncommitted");
  });

  test("is uploaded without packages and ignored files where the server may not read it", async () => {
    const app = join(folder, "sent");
    makeRepository(app, { ...files("committed"), ".gitignore": "secret.txt\n", "gone.txt": "" });
    write(app, { ...files("sent"), "secret.txt": "x", "node_modules/x/index.js": "", link: { link: "src/agent.ts" } });
    rmSync(join(app, "gone.txt"));
    const { code, out, err } = await graphlib(["deploy", app, "--upload", "--follow"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Sending 4 files");
    expect(await replyOf("sent")).toBe("sent");
    write(app, files("again"));
    const { revision } = await answer(Deployed, "deploy", app, "--upload", "--follow");
    expect(revision).toMatchObject({ number: 2, source: { type: "upload", file_name: "sent" } });
    expect(await replyOf("sent")).toBe("again");
  });

  test("without git is uploaded whole, and a folder inside of it can be the application", async () => {
    const app = join(folder, "mono");
    write(app, Object.fromEntries(Object.entries(files("inner")).map(([path, text]) => [`agents/a/${path}`, text])));
    const sent = await answer(
      Deployed,
      "deploy",
      app,
      "--upload",
      "--folder",
      "agents/a",
      "--follow",
      "--name",
      "inner",
    );
    expect(sent.revision.source).toMatchObject({ folder: "agents/a" });
    expect(await replyOf("inner")).toBe("inner");
  });
});

describe("deployments", () => {
  test("are listed", async () => {
    const { out } = await graphlib(["list"]);
    expect(out).toMatch(/^NAME +STATUS/);
    expect(out).toMatch(/^bot-2 +ready +5 /m);
    const all = await answer(z.array(DeploymentRecord), "list");
    expect(all.map(({ name }) => name)).toContain("default");
    const revisions = await answer(z.array(Revision), "revisions", "bot-2");
    expect(revisions.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
    expect((await graphlib(["revisions", "bot-2"])).out).toMatch(/^2 +replaced +manual .* second$/m);
  });

  test("have logs of their output and of their builds", async () => {
    const printed = await graphlib(["logs", "bot-2"]);
    expect(printed.out).toContain("loaded one");
    const build = await graphlib(["logs", "bot-2", "--build", "3"]);
    expect(build.out).toMatch(/^ {2}validating/m);
    const newest = await graphlib(["logs", "bot-2", "--build", "--follow", "--json"]);
    expect(newest.code).toBe(0);
    const lines = newest.out
      .trim()
      .split("\n")
      .map((line) => LogLine.parse(JSON.parse(line)));
    expect(lines.at(-1)?.text).toMatch(/^Live after/);
  });

  test("are deleted after --yes", async () => {
    const refused = await graphlib(["delete", "inner"]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    expect(await answer(z.object({ deleted: z.string() }), "delete", "inner", "--yes")).toEqual({ deleted: "inner" });
    const gone = await graphlib(["revisions", "iner"]);
    expect(gone).toMatchObject({ code: 1, err: expect.stringMatching(/No deployment named "iner"/) });
    const near = await graphlib(["logs", "bot-3"]);
    expect(near.err).toContain('Did you mean "bot-2"?');
    expect((await graphlib(["delete", "default", "--yes"])).err).toContain("server's own");
  });
});

describe("a command that fails", () => {
  test("names the server that does not answer, or the missing or wrong key", async () => {
    const away = await graphlib(["list"], { GRAPHLIB_URL: "http://127.0.0.1:9" });
    expect(away).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No server answers at http:\/\/127.0.0.1:9.*\n.*GRAPHLIB_URL/),
    });
    const wrong = await graphlib(["list"], { GRAPHLIB_API_KEY: "another" });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("GRAPHLIB_API_KEY is not the key") });
    const without = await graphlib(["list"], { GRAPHLIB_API_KEY: "" });
    expect(without).toMatchObject({ code: 1, err: expect.stringContaining("Set GRAPHLIB_API_KEY") });
    const other = await graphlib(["list"], { GRAPHLIB_URL: git.origin });
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("GRAPHLIB_URL") });
    const no = await graphlib(["list"], { GRAPHLIB_URL: "localhost:2024" });
    expect(no).toMatchObject({ code: 1, err: expect.stringContaining("GRAPHLIB_URL: expected http://host:port") });
  });

  test.each([
    [["deplou", "x"], "did you mean deploy?"],
    [["deploy"], "Usage: graphlib deploy <source>"],
    [["list", "--what"], "--what"],
    [["rollback", "bot-2", "x"], "expected a number"],
  ])("is not understood: %j", async (args, expected) => {
    expect(await graphlib(args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(expected) });
  });

  test.each([
    [["deploy", "github.com/acme/bot"], "Did you mean https://github.com/acme/bot?"],
    [["deploy", "nowhere"], "neither the address of a repository nor a folder"],
    [["deploy", ".", "--ref", "main"], "as it is on disk"],
    [["deploy", "https://github.com/acme/bot", "--ref=-x"], "--ref: expected the name of a branch"],
    [["deploy", "https://github.com/acme/bot", "--env-file", "none.env"], "none.env can't be read"],
  ])("prints a fix: %j", async (args, expected) => {
    expect(await graphlib(args)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(expected) });
  });

  test("--help prints the usage", async () => {
    const { code, out } = await graphlib(["--help"]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("graphlib rollback <name> <revision>"),
    });
    expect((await graphlib(["deploy", "--help"])).out).toContain("--env-file");
  });
});
