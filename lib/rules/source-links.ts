/** As many as Linux follows. */
const HOPS = 40;

/** What a link of a source leads to. `path` is that of a file which is no link itself. */
export type LinkEnd =
  | { is: "file"; path: string }
  /** `circle`: links that lead to each other, or too many of them. */
  | { is: "folder" | "outside" | "nothing" | "circle" };

/**
 * Follows a link as the system would, by what lies in its source alone: a step above the root counts as leaving it, even
 * where the next one leads back, or where something on the way is missing. `links` are all links of the source, with their targets; `kindOf` tells what lies at any
 * other path, `undefined` for nothing. Paths are relative to the root and have forward slashes. Total.
 */
export function followLink(
  link: string,
  links: ReadonlyMap<string, string>,
  kindOf: (path: string) => "file" | "folder" | undefined,
): LinkEnd {
  const left = link.split("/");
  const at: string[] = [];
  let hops = 0;
  let file: string | undefined;
  let isMissing = false;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === "" || part === ".") continue;
    if (file !== undefined) isMissing = true;
    if (part === "..") {
      if (at.pop() === undefined) return { is: "outside" };
      continue;
    }
    at.push(part);
    if (isMissing) continue;
    const path = at.join("/");
    const target = links.get(path);
    if (target === undefined) {
      const kind = kindOf(path);
      if (kind === undefined) isMissing = true;
      if (kind === "file") file = path;
      continue;
    }
    if (target.startsWith("/")) return { is: "outside" };
    if (target === "") isMissing = true;
    if (++hops > HOPS) return { is: "circle" };
    at.pop();
    left.unshift(...target.split("/"));
  }
  if (isMissing) return { is: "nothing" };
  return file === undefined ? { is: "folder" } : { is: "file", path: file };
}
