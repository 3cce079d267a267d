/** Composes the access to the server: keys, sessions of the console, and the settings of the API. */
import { join } from "node:path";
import { apiKeyOf, keyPrintOf } from "../drivers/secrets/api-key.ts";
import { cardSignerOf } from "../drivers/secrets/card-key.ts";
import { consoleCodeOf, readConsoleCode } from "../drivers/secrets/console-code.ts";
import { secretOf } from "../drivers/secrets/secret-box.ts";
import { readFolderApp } from "../drivers/sources/folder.ts";
import { createKeyLockout } from "../engine/key-lockout.ts";
import type { CardSigner, SessionStore } from "../engine/ports/keys.ts";
import { createSessions, type Sessions } from "../engine/sessions.ts";
import { type Environment, EnvironmentError, keyWarning } from "../env.ts";
import { createBodyBudget } from "../http/body-budget.ts";
import type { HttpSettings } from "../http/settings.ts";
import { CONSOLE_LINK } from "../protocol/session.ts";
import { consoleCaller } from "../rules/http/console-caller.ts";
import { basics } from "./deployment.ts";

/** Returns the secrets that encrypt stored values. The first one encrypts; all of them decrypt. */
export function secretsOf({ GRAPHLIB_SECRET: secrets, GRAPHLIB_HOME: home }: Environment): readonly string[] {
  return secrets ?? [secretOf(join(home, "secret"))];
}

export interface ComposedAccess {
  settings: HttpSettings;
  /** The path and query that open the console; undefined if it needs none. */
  consoleLink: string | undefined;
}

export async function composeAccess(
  environment: Environment,
  cardSigner: CardSigner | undefined,
  store: SessionStore,
): Promise<ComposedAccess> {
  const { GRAPHLIB_API_KEY: key, GRAPHLIB_BODY_BUDGET_MB: budgetMb } = environment;
  const code = key === undefined ? consoleCode(environment) : undefined;
  const warning = keyWarning(environment);
  if (warning !== undefined) basics.logger.warn(warning);
  const sessions = await openSessions(store, environment, key ?? code ?? "");
  const settings: HttpSettings = {
    apiKey: key === undefined ? undefined : apiKeyOf(key),
    consoleKey: code === undefined ? undefined : apiKeyOf(code),
    publicUrl: environment.PUBLIC_URL,
    trustProxy: environment.TRUST_PROXY,
    localSources: environment.ALLOW_LOCAL_SOURCES,
    bodies: createBodyBudget(budgetMb * 1024 * 1024),
    cardSigner,
    sessions,
    keyLockout: createKeyLockout(basics.clock),
  };
  return { settings, consoleLink: await consoleLinkOf(environment, code) };
}

/** Returns the sign-in code of a server without a key. Servers that share a database have the same one. */
function consoleCode(environment: Environment): string {
  const [secret = ""] = environment.GRAPHLIB_ROLES ? secretsOf(environment) : [];
  return secret === "" ? readConsoleCode(environment.GRAPHLIB_HOME) : consoleCodeOf(secret);
}

/** Opens the sessions, and ends those that were begun with another key or another code of the console. */
async function openSessions(store: SessionStore, environment: Environment, key: string): Promise<Sessions> {
  const [secret = ""] = secretsOf(environment);
  const keyPrint = keyPrintOf(key, secret);
  await store.endAll({ keyPrint });
  return createSessions({ store, keyPrint, ...basics });
}

/** Reads the key that signs agent cards. Throws `EnvironmentError` for a key that can't sign. */
export async function readCardSigner({ GRAPHLIB_CARD_KEY: key }: Environment): Promise<CardSigner | undefined> {
  try {
    return key === undefined ? undefined : await cardSignerOf(key);
  } catch (error) {
    throw new EnvironmentError(`GRAPHLIB_CARD_KEY: ${error instanceof Error ? error.message : "not usable"}`);
  }
}

/** Returns the console's link if the application of the default deployment admits only callers that it knows. */
async function consoleLinkOf(
  { GRAPHLIB_APP: app, GRAPHLIB_API_KEY: key }: Environment,
  code: string | undefined,
): Promise<string | undefined> {
  if (code === undefined) return undefined;
  const { config } = await readFolderApp(app);
  const isClosed = consoleCaller({ auth: config?.auth, keyed: key !== undefined, passed: false }) === "closed";
  return isClosed ? `${CONSOLE_LINK}?code=${code}` : undefined;
}
