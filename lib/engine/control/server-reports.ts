/** The reports of servers that share deployments: each tells of its own processes. */
import type { DeploymentServer } from "../../protocol/deployments.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { DeploymentReport, Lease } from "../ports/lease.ts";
import type { Deployment, Platform } from "../ports/ports.ts";

/** Returns what each server says of a deployment that it has open; nothing for a server that has its database for itself. */
export async function readServers({ lease }: Pick<ControlPlane, "lease">, name: string): Promise<DeploymentServer[]> {
  const servers = lease ? await lease.servers() : [];
  return servers.flatMap(({ id, host, roles, deployments: { [name]: report } }) =>
    report ? [{ id, host, roles, ...report }] : [],
  );
}

/** Returns a function that tells the other servers what has changed of the deployments of this one. */
export function reportsToOthers(platform: Platform, control: ControlPlane, lease: Lease): () => Promise<void> {
  let told = "";
  return async () => {
    const reports = Object.fromEntries(platform.list().map((one) => [one.name, reportOf(control, one)]));
    // A new lease knows nothing of what was said under the one before.
    const text = JSON.stringify([lease.id(), reports]);
    if (text === told || lease.id() === undefined) return;
    await lease.report(reports);
    told = text;
    control.tellOthers();
  };
}

function reportOf({ hosting, troubles }: ControlPlane, { name, worker }: Deployment): DeploymentReport {
  const state = worker.state();
  const problem = troubles.get(name) ?? ("reason" in state ? state.reason : undefined);
  return { revision: hosting.serving(name) ?? null, status: state.status, ...(problem !== undefined && { problem }) };
}

/** Returns a function that notes the deployments of which another server says something else than at the last call. */
export function followsReports(control: ControlPlane, lease: Lease): () => Promise<void> {
  let known = new Map<string, string>();
  return async () => {
    const said = new Map<string, DeploymentReport[]>();
    for (const { deployments } of await lease.servers())
      for (const [name, report] of Object.entries(deployments)) said.set(name, [...(said.get(name) ?? []), report]);
    const now = new Map([...said].map(([name, reports]) => [name, JSON.stringify(reports)]));
    for (const name of new Set([...known.keys(), ...now.keys()]))
      if (known.get(name) !== now.get(name)) control.noteChange(name);
    known = now;
  };
}
