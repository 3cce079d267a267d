import type { Finding } from "../../protocol/preflight.ts";
import type { Place } from "../text/json-text.ts";

type Said = Omit<Finding, "level" | "message" | "fix">;

/** Returns the location of a file, with a position where there is one. */
export function inFile(file: string, place?: Place): Said {
  return { file, ...place };
}

/** Returns a finding that prevents the deployment. */
export function errorAt(where: Said, message: string, fix: string): Finding {
  return { level: "error", ...where, message, fix };
}

export function warningAt(where: Said, message: string, fix?: string): Finding {
  return { level: "warning", ...where, message, ...(fix !== undefined && { fix }) };
}

export function noteAt(where: Said, message: string, fix?: string): Finding {
  return { level: "note", ...where, message, ...(fix !== undefined && { fix }) };
}
