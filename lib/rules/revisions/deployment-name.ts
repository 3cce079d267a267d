import { isReserved, LONGEST_NAME } from "../../protocol/names.ts";
import type { Source } from "../../protocol/sources.ts";
import { splitPage } from "../sources/page-address.ts";

/** Derives a deployment's name from its source; `app` when no part of that is valid in an address. */
export function nameFrom(given: Source): string {
  const source = given.type === "git" ? splitPage(given) : given;
  const inside = source.type === "folder" ? undefined : source.folder;
  const path = source.type === "git" ? source.url : source.type === "folder" ? source.path : (source.file_name ?? "");
  const words =
    lastPart(inside ?? "") || lastPart(path.replace(/\/+$/, "").replace(/\.(?:git|zip|tar|tgz|tar\.gz)$/i, ""));
  const name = fitName(words);
  return isReserved(name) || name === "" ? "app" : name;
}

function lastPart(path: string): string {
  return path.split(/[\\/:]/).findLast((part) => part !== "") ?? "";
}

function fitName(words: string): string {
  return words
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, "");
}
