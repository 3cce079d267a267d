import { Credentials } from "../../protocol/sources.ts";
import type { SecretsChange, StoredVariable } from "../ports/variables.ts";
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

/** As they are stored; null removes them. */
export function sealCredentials({ box }: ControlPlane, credentials: Credentials | null): string | null {
  return credentials && box.seal(JSON.stringify(credentials));
}

/** Variables by their names, to be set, or to be removed where they are null. */
export interface EnvironmentChange {
  set: Readonly<Record<string, string | null>>;
  /** Names of those that may be shown. */
  plain: readonly string[];
}

/** As it is stored; it counts from the next start of the code on. */
export function sealVariables(
  platform: Platform,
  { box }: ControlPlane,
  { set: changes, plain }: EnvironmentChange,
): NonNullable<SecretsChange["variables"]> {
  const updated_at = timeOf(platform);
  const set: StoredVariable[] = [];
  const remove: string[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) remove.push(name);
    else set.push({ name, value: box.seal(value), secret: !plain.includes(name), updated_at });
  }
  return { set, remove };
}
