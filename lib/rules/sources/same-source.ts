import type { Source } from "../../protocol/sources.ts";
import { repositoryOf } from "./git-address.ts";
import { readPageAddress } from "./page-address.ts";

/** Returns whether both are one repository, one folder, or archives of one name, whatever their refs and subfolders. */
export function isSameSource(a: Source, b: Source): boolean {
  if (a.type === "git" && b.type === "git") return a.url === b.url || repositoryOf(a.url) === repositoryOf(b.url);
  if (a.type === "folder" && b.type === "folder") return a.path === b.path;
  if (a.type === "upload" && b.type === "upload") return a.file_name === b.file_name;
  return false;
}

/** Returns the new source. For the same source, unset fields keep their values, unless the URL is that of a page. */
export function keptSource(before: Source, wanted: Source): Source {
  const isPage = wanted.type === "git" && readPageAddress(wanted.url) !== undefined;
  if (isPage || !isSameSource(before, wanted)) return wanted;
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  return { ...before, ...given };
}
