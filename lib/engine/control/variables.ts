import { Credentials } from "../../protocol/sources.ts";
import type { Variable } from "../../protocol/variables.ts";
import type { StoredVariable } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { timeOf } from "./build-step.ts";
import type { Platform } from "../ports/ports.ts";

export interface OpenVariables {
  all: Record<string, string>;
  secrets: Record<string, string>;
  /** When each was set. */
  set: Record<string, string>;
}

/** The values of a deployment's variables. Throws when the key that sealed one is gone. */
export async function openVariables({ variables, box }: ControlPlane, deploymentId: string): Promise<OpenVariables> {
  const stored = await variables.list(deploymentId);
  const opened = stored.map((one) => ({ ...one, value: box.open(one.value) }));
  const entries = (some: typeof opened) => Object.fromEntries(some.map(({ name, value }) => [name, value]));
  const set = Object.fromEntries(stored.map(({ name, updated_at }) => [name, updated_at]));
  return { all: entries(opened), secrets: entries(opened.filter((one) => one.secret)), set };
}

export async function openCredentials(
  { variables, box }: ControlPlane,
  deploymentId: string,
): Promise<{ credentials: Credentials; secrets: Record<string, string> } | undefined> {
  const sealed = await variables.credentials(deploymentId);
  if (sealed === undefined) return undefined;
  const credentials = Credentials.parse(JSON.parse(box.open(sealed)));
  if ("token" in credentials) return { credentials, secrets: { TOKEN: credentials.token } };
  return { credentials, secrets: { DEPLOY_KEY: credentials.deploy_key } };
}

export async function setCredentials(
  { variables, box }: ControlPlane,
  deploymentId: string,
  credentials: Credentials | null,
): Promise<void> {
  await variables.setCredentials(deploymentId, credentials ? box.seal(JSON.stringify(credentials)) : undefined);
}

export async function listVariables({ variables, box }: ControlPlane, deploymentId: string): Promise<Variable[]> {
  const stored = await variables.list(deploymentId);
  return stored.map(({ value, ...one }) => ({ ...one, value: one.secret ? null : box.open(value) }));
}

/** Sets variables, or removes those that are null; it counts from the next start of the code on. */
export async function changeVariables(
  platform: Platform,
  { variables, box }: ControlPlane,
  deploymentId: string,
  changes: Readonly<Record<string, string | null>>,
  plain: readonly string[] = [],
): Promise<void> {
  const updated_at = timeOf(platform);
  const set: StoredVariable[] = [];
  const remove: string[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) remove.push(name);
    else set.push({ name, value: box.seal(value), secret: !plain.includes(name), updated_at });
  }
  await variables.change(deploymentId, set, remove);
}
