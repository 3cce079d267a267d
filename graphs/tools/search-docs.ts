import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tool } from "@langchain/core/tools";
import MiniSearch from "minisearch";
import { type Passage, SearchDocsInput } from "./contract.ts";
import { toPassages } from "./passages.ts";

/** The project's root. This file is in graphs/tools/. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const STOP_WORDS = new Set(
  (
    "a about an and any are as at be by can could do docs documentation documented does explain find for from get graphlib " +
    "has have how i if in is it its me mean my of on or our please should show tell that the there this to up use used " +
    "using want was we what when where which who why will with would you your"
  ).split(" "),
);

export type DocsSearch = { passageCount: number; search: (query: string) => Passage[] };

/** Reduces words to one form: "deploying", "deployed" and "deploys" become "deploy". */
function toTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  return lower.length > 4 ? lower.replace(/(?:ing|ed|es|s)$/u, "") : lower.replace(/s$/u, "");
}

async function documentsIn(root: string): Promise<string[]> {
  const docs = await readdir(join(root, "docs"), { recursive: true }).catch(() => []);
  const files = docs.filter((file) => file.endsWith(".md")).map((file) => `docs/${file.replaceAll("\\", "/")}`);
  return ["README.md", "ARCHITECTURE.md", ...files.toSorted()];
}

/** Reads and indexes the documentation below `root`. Files that do not exist are left out. */
export async function openDocs(root: string): Promise<DocsSearch> {
  const files = await documentsIn(root);
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8").catch(() => "")));
  const passages = files.flatMap((file, i) => toPassages(file, texts[i] ?? ""));
  const index = new MiniSearch({ fields: ["title", "heading", "text", "file"], processTerm: toTerm });
  const titleOf = ({ heading }: Passage) => heading.split(" > ").at(-1);
  index.addAll(passages.map((passage, id) => ({ id, title: titleOf(passage), ...passage })));
  return {
    passageCount: passages.length,
    search: (query) => best(hits(index, query).flatMap((id) => passages[id] ?? [])),
  };
}

/** Keeps one passage for each heading, so that three hits are three sections to read. */
function best(passages: Passage[]): Passage[] {
  const found = new Map<string, Passage>();
  for (const passage of passages) {
    const key = `${passage.file} ${passage.heading}`;
    if (!found.has(key)) found.set(key, passage);
  }
  return [...found.values()].slice(0, 3);
}

/** Returns what holds at least half of the words in the query, best first: one shared word in five is no answer. */
function hits(index: MiniSearch, query: string): number[] {
  const terms = new Set(query.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => toTerm(word) || []));
  return index
    .search(query, {
      boost: { title: 4, file: 2 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => term.length > 5 && 0.2,
      weights: { prefix: 0.2, fuzzy: 0.1 },
    })
    .filter(({ queryTerms }) => new Set(queryTerms).size * 2 >= terms.size)
    .map(({ id }) => Number(id));
}

export function createSearchDocs(root: string) {
  let docs: Promise<DocsSearch> | undefined;
  return tool(
    async ({ query }) => {
      const { passageCount, search } = await (docs ??= openDocs(root));
      if (passageCount === 0) return { query, passages: [], note: "This installation has no documentation to search." };
      return { query, passages: search(query) };
    },
    {
      name: "search_docs",
      description:
        "Searches the documentation of this Graphlib project; returns the best passages with file and heading.",
      schema: SearchDocsInput,
    },
  );
}

export const searchDocs = createSearchDocs(ROOT);
