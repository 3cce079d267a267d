import { A2A_SINCE, type AppConfig } from "../../protocol/config.ts";
import { compareVersions, parseVersion } from "../../protocol/versions.ts";

/** Returns the line of an application's configuration that turns A2A off, and why; undefined when A2A is on. */
export function a2aSwitch(
  config: Pick<AppConfig, "http" | "api_version"> | undefined,
): { line: string; why: string } | undefined {
  if (config?.http.disable_a2a !== true) return undefined;
  const { api_version = "" } = config;
  const version = parseVersion(api_version);
  if (version === undefined || compareVersions(version, A2A_SINCE) >= 0) {
    return { line: '"http": { "disable_a2a": true }', why: "The application does not want it." };
  }
  const since = A2A_SINCE.join(".");
  return {
    line: `"api_version": ${JSON.stringify(api_version)}`,
    why: `Servers speak A2A from version ${since} on, and the application says that it was written for an older one.`,
  };
}
