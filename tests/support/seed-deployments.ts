/** Deploys what the rooms of a server show: an application with three revisions, one with other graphs, one that fails. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { call, untilBuilt, untilState } from "./control.ts";
import type { TestServer } from "./server.ts";

const TESTS = join(import.meta.dirname, "..");
/** The deployment that the rooms show. */
export const BOT = "support-bot";
const DEPLOYMENTS = [
  { name: BOT, folder: "screens/apps/support", message: "Ask a person before a refund" },
  { name: "research-crew", folder: "api/apps/team", message: "Let the reviewers work side by side" },
  { name: "invoice-flow", folder: "e2e/apps/broken", message: "Read invoices of two pages" },
];
const AUTHOR = ["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.com"];

const execute = promisify(execFile);

async function commit(folder: string, message: string): Promise<void> {
  const git = async (...args: string[]) => void (await execute("git", ["-C", folder, ...AUTHOR, ...args]));
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--allow-empty", "--message", message);
}

/** Pages show a folder's name and its commit, so each application becomes a repository of its own. */
export async function seedDeployments(server: Pick<TestServer, "url">): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), "graphlib-rooms-"));
  const sourceOf = (name: string) => ({ type: "folder", path: join(parent, name) });
  for (const { name, folder, message } of DEPLOYMENTS) {
    await cp(join(TESTS, folder), join(parent, name), { recursive: true });
    await commit(join(parent, name), message);
    await call(server, "POST", "/deployments", { name, source: sourceOf(name) });
  }
  await untilState(server, BOT, ["live"]);
  const variables = { SHOP_URL: "https://shop.example.com", SHOP_TOKEN: "the-token-of-the-shop" };
  await call(server, "PATCH", `/deployments/${BOT}/environment`, { variables, plain: ["SHOP_URL"] });
  await untilState(server, BOT, ["live"]);
  await commit(join(parent, BOT), "Name the policy in every answer");
  await call(server, "POST", `/deployments/${BOT}/revisions`, { source: sourceOf(BOT) });
  await untilState(server, BOT, ["live"]);
  for (const { name } of DEPLOYMENTS) await untilBuilt(server, name);
  await rm(parent, { recursive: true, force: true });
}
