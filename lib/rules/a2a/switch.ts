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
    return { line: '"http": { "disable_a2a": true }', why: "The application disables A2A." };
  }
  const since = A2A_SINCE.join(".");
  return {
    line: `"api_version": ${JSON.stringify(api_version)}`,
    why: `A2A exists since API version ${since}, and the application declares an older one.`,
  };
}
