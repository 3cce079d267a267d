import type { Finding } from "../../protocol/preflight.ts";
import type { Place } from "../text/json-text.ts";

type Said = Omit<Finding, "level" | "message" | "fix">;

/** In a file, and in it at a place where there is one. */
export function inFile(file: string, place?: Place): Said {
  return { file, ...place };
}

/** It can't be deployed: what is wrong, and what to do. */
export function errorAt(where: Said, message: string, fix: string): Finding {
  return { level: "error", ...where, message, fix };
}

export function warningAt(where: Said, message: string, fix?: string): Finding {
  return { level: "warning", ...where, message, ...(fix !== undefined && { fix }) };
}

export function noteAt(where: Said, message: string, fix?: string): Finding {
  return { level: "note", ...where, message, ...(fix !== undefined && { fix }) };
}
