import type { Finding } from "../../protocol/preflight.ts";
import type { TextPosition } from "../text/json-text.ts";

type FindingLocation = Omit<Finding, "level" | "message" | "fix">;

/** Returns the location of a file, with a position where there is one. */
export function inFile(file: string, position?: TextPosition): FindingLocation {
  return { file, ...position };
}

/** Returns a finding that prevents the deployment. */
export function errorAt(where: FindingLocation, message: string, fix: string): Finding {
  return { level: "error", ...where, message, fix };
}

export function warningAt(where: FindingLocation, message: string, fix?: string): Finding {
  return { level: "warning", ...where, message, ...(fix !== undefined && { fix }) };
}

export function noteAt(where: FindingLocation, message: string, fix?: string): Finding {
  return { level: "note", ...where, message, ...(fix !== undefined && { fix }) };
}
