import { Credentials } from "../../protocol/sources.ts";
import type { SecretsChange, StoredVariable } from "../ports/variables.ts";
import type { ControlPlane } from "../ports/control.ts";
import { timeOf } from "./build-step.ts";
import type { Platform } from "../ports/ports.ts";

export interface OpenVariables {
  all: Record<string, string>;
  secrets: Record<string, string>;
  /** The time at which each variable was set. */
  set: Record<string, string>;
}

/** Decrypts the variables of a deployment. Throws when the key that sealed one is gone. */
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

/** Encrypts credentials for the store; null removes them. */
export function sealCredentials({ box }: ControlPlane, credentials: Credentials | null): string | null {
  return credentials && box.seal(JSON.stringify(credentials));
}

/** Values of variables by name. Null removes a variable. */
export interface EnvironmentChange {
  set: Readonly<Record<string, string | null>>;
  /** Names of the variables that are not secret. */
  plain: readonly string[];
}

/** Encrypts a change of variables. It takes effect with the next start of the code. */
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
