/** The network of an install: one proxy for all that it starts, and what became of that in its log. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { type NamingFile, refusedHost, trafficLine } from "../../rules/packages/install-traffic.ts";
import { authorityOf } from "../../rules/packages/proxies.ts";
import {
  certificateEnvironment,
  proxyEnvironment,
  registryHosts,
  type RegistrySettings,
} from "../../rules/packages/registry-settings.ts";
import { openSocket, type WayOut } from "./confinement.ts";
import { openInstallProxy } from "./install-proxy.ts";
import type { NetworkRule } from "./reach.ts";
import type { NpmOptions } from "./registry.ts";

export interface InstallNetwork {
  /** The variables of everything that an install starts. */
  env: Readonly<Record<string, string>>;
  /** Of the proxy, which no log needs. */
  password: string;
  /** Why hosts could not be reached. */
  said: readonly string[];
  /** For programs that are in no network. */
  wayOut: WayOut;
}

export interface InstallNetworkOptions {
  settings: RegistrySettings;
  environment: NpmOptions["environment"];
  rule: NetworkRule;
  /** Files that may name a host. */
  files: () => Promise<readonly NamingFile[]>;
  context: StepContext;
}

/** Gives `work` its network. Throws what it throws, and a `StepFailure` about the host where one was refused. */
export async function withInstallNetwork<T>(
  { settings, environment, rule, files, context }: InstallNetworkOptions,
  work: (network: InstallNetwork) => Promise<T>,
): Promise<T> {
  const refusals: StepFailure[] = [];
  const said: string[] = [];
  const writeLine = (text: string): void => context.writeLine({ stream: "us", text });
  // The path of a socket may have 107 letters at most: it can't lie where the packages do.
  const folder = await mkdtemp(join(tmpdir(), "graphlib-"));
  const socket = join(folder, "proxy");
  const proxy = await openInstallProxy({
    ...rule,
    socket,
    trusted: registryHosts(settings),
    proxies: settings.proxies,
    async refused(target, own) {
      const { message, ...place } = refusedHost(target, await files(), own);
      refusals.push(new StepFailure(message, place));
      writeLine(`${message}${place.file === undefined ? "" : ` (${place.file}:${place.line})`}`);
    },
    unreachable(target, code) {
      said.push(`${authorityOf(target)} can't be reached: ${code}`);
      writeLine(said.at(-1) ?? "");
    },
  });
  const env = { ...certificateEnvironment(settings, environment), ...proxyEnvironment(proxy.url) };
  try {
    await openSocket(folder, socket);
    return await work({ env, password: proxy.password, said, wayOut: { socket, port: proxy.port } });
  } catch (error) {
    throw (error instanceof StepFailure ? refusals[0] : undefined) ?? error;
  } finally {
    for (const traffic of await proxy.close()) writeLine(trafficLine(traffic));
    await rm(folder, { recursive: true, force: true });
  }
}
