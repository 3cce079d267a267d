import { cpus } from "node:os";
import packageJson from "../../package.json" with { type: "json" };

/** Returns a line about what was measured: the project and the `versions` beside it, and the machine. */
export function machineText(...versions: readonly string[]): string {
  const cpu = cpus();
  const project = `${packageJson.name} ${packageJson.version}`;
  return [project, ...versions, `${cpu.length} x ${cpu[0]?.model ?? "?"}`].join(", ");
}
