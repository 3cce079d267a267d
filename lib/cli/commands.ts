import { createInterface } from "node:readline/promises";
import * as z from "zod";
import type { FaultReason } from "../protocol/faults.ts";
import { LogLine, Revision } from "../protocol/revisions.ts";
import { describeSource, followToLive } from "./deploy.ts";
import { CommandFailure, UsageFailure } from "./failure.ts";
import { secondsBetween, showLines } from "./follow.ts";
import { type Screen, table } from "./screen.ts";
import { dataOf, getDeployment, listDeployments, type Server } from "./server.ts";

const LINES = z.array(LogLine);

export async function list(server: Server, screen: Screen): Promise<void> {
  const all = await listDeployments(server);
  const rows = all.map(({ name, status, live, newest, source, api_url }) => {
    const waiting = newest && newest.number !== live ? `${newest.number} ${newest.state}` : "";
    return [name, status, live === null ? "-" : String(live), waiting, describeSource(source), api_url];
  });
  for (const row of table([["NAME", "STATUS", "LIVE", "NEWEST", "SOURCE", "ADDRESS"], ...rows])) screen.print(row);
  screen.result(all);
}

export async function revisions(server: Server, screen: Screen, name: string): Promise<void> {
  await getDeployment(server, name);
  const all = await server.call("GET", `/deployments/${name}/revisions?limit=100`, z.array(Revision));
  const rows = all.map(({ number, state, trigger, commit, created_at, live_at, problem }) => [
    String(number),
    state,
    trigger,
    created_at.replace("T", " ").slice(0, 19),
    live_at === null ? "-" : secondsBetween(created_at, live_at),
    commit ? `${commit.sha.slice(0, 7)}${commit.dirty ? "+" : ""} ${commit.message}` : (problem?.message ?? ""),
  ]);
  for (const row of table([["REVISION", "STATE", "BY", "CREATED (UTC)", "TOOK", "COMMIT"], ...rows])) screen.print(row);
  screen.result(all);
}

/** Shows what a deployment's code prints or, with a number or `newest`, the build log of a revision. */
export async function logs(
  server: Server,
  screen: Screen,
  name: string,
  { build, follow }: { build?: string; follow?: boolean },
): Promise<void> {
  const { newest } = await getDeployment(server, name);
  const number = build === "newest" ? newest?.number : numberOf(build, "--build");
  const path = `/deployments/${name}${number === undefined ? "" : `/revisions/${number}`}/log`;
  const shown = showLines(screen);
  const show = (lines: LogLine[]): void => {
    for (const line of lines) {
      if (screen.json) screen.result(line);
      else shown.add(line);
    }
  };
  if (!follow) show(await server.call("GET", path, LINES));
  else for await (const event of server.listen(path)) if (event.event === "lines") show(dataOf(LINES, event));
  shown.end();
}

export async function rollBack(
  server: Server,
  screen: Screen,
  [name, to]: readonly [string, string],
  { force = false, follow }: { force?: boolean; follow?: boolean },
): Promise<void> {
  await getDeployment(server, name);
  const body = { revision: numberOf(to, "the revision"), force };
  const revision = await server
    .call("POST", `/deployments/${name}/rollback`, Revision, body)
    .catch((thrown: unknown) => {
      const isForceable = thrown instanceof CommandFailure && thrown.reason === ("needs_force" satisfies FaultReason);
      throw isForceable
        ? new CommandFailure(thrown.message, { fix: "Add --force to this command.", status: 409 })
        : thrown;
    });
  screen.print(`Revision ${revision.number} of ${name} serves the build of revision ${to}`);
  if (follow) await followToLive(server, screen, revision);
  else screen.result(revision);
}

export async function remove(server: Server, screen: Screen, name: string, { yes }: { yes?: boolean }): Promise<void> {
  await getDeployment(server, name);
  if (!yes) await confirm(name);
  await server.call("DELETE", `/deployments/${name}?confirm=${name}`, z.undefined());
  screen.print(`${name} is deleted`);
  screen.result({ deleted: name });
}

async function confirm(name: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(`Deleting ${name} deletes its threads, builds and secrets`, { fix: "Add --yes." });
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await prompt.question(`Its threads, builds and secrets go with it. Type ${name} to delete it: `);
  prompt.close();
  if (typed.trim() !== name) throw new CommandFailure(`${name} is not deleted`);
}

function numberOf(text: string, what: string): number;
function numberOf(text: string | undefined, what: string): number | undefined;
function numberOf(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageFailure(`${what}: expected a number from 1, as the list of revisions shows it`);
}
