/** Gives an install its network: one proxy for all of its programs, whose traffic is logged. */
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
import { shareSocket, type ProxyRelay } from "./confinement.ts";
import { openInstallProxy } from "./install-proxy.ts";
import type { NetworkRule } from "./host-connections.ts";
import type { NpmOptions } from "./registry.ts";

export interface InstallNetwork {
  /** Variables for all programs of the install. */
  env: Readonly<Record<string, string>>;
  /** The password of the proxy, which must not appear in a log. */
  password: string;
  /** Messages about hosts that could not be reached. */
  unreachable: readonly string[];
  /** The relay for programs inside a fence, which have no network. */
  relay: ProxyRelay;
}

export interface InstallNetworkOptions {
  settings: RegistrySettings;
  environment: NpmOptions["environment"];
  rule: NetworkRule;
  /** Files of the source that may name a host. */
  files: () => Promise<readonly NamingFile[]>;
  context: StepContext;
}

/** Calls `work` with a network. Throws the error of `work`, or a `StepFailure` about a host that was refused. */
export async function withInstallNetwork<T>(
  { settings, environment, rule, files, context }: InstallNetworkOptions,
  work: (network: InstallNetwork) => Promise<T>,
): Promise<T> {
  const refusals: StepFailure[] = [];
  const unreachable: string[] = [];
  const log = (text: string): void => context.writeLine({ stream: "us", text });
  // A socket's path may have at most 107 characters, so it cannot lie next to the packages.
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
      log(`${message}${place.file === undefined ? "" : ` (${place.file}:${place.line})`}`);
    },
    unreachable(target, code) {
      unreachable.push(`${authorityOf(target)} can't be reached: ${code}`);
      log(unreachable.at(-1) ?? "");
    },
  });
  const env = { ...certificateEnvironment(settings, environment), ...proxyEnvironment(proxy.url) };
  try {
    await shareSocket(folder, socket);
    return await work({ env, password: proxy.password, unreachable, relay: { socket, port: proxy.port } });
  } catch (error) {
    throw (error instanceof StepFailure ? refusals[0] : undefined) ?? error;
  } finally {
    for (const traffic of await proxy.close()) log(trafficLine(traffic));
    await rm(folder, { recursive: true, force: true });
  }
}
