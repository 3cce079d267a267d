import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SearchDocsResult } from "../../graphs/tools/contract.ts";
import { toPassages } from "../../graphs/tools/passages.ts";
import { createSearchDocs, openDocs } from "../../graphs/tools/search-docs.ts";

const README = `# Hosting

Intro words.

## Deploying an application

Push your folder and the server builds it.

\`\`\`sh
# this is no heading

npm start
\`\`\`

### On Linux

A unit file keeps it running.

## Threads

A thread is a conversation: its state lives in checkpoints.
`;

describe("passages", () => {
  const line = fc.oneof(
    fc.constantFrom("", "", "# Title", "## Part", "### Detail", "plain words", "- item"),
    fc.string({ maxLength: 80 }).map((text) => `x${text.replace(/[\r\n]/gu, "")}`),
  );
  const markdown = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
  const words = (text: string) => text.split(/\s+/u).filter(Boolean);

  test("no word of the text under the headings is lost, repeated or moved", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const passages = toPassages("a.md", text);
        const body = text.split("\n").filter((l) => !/^#{1,6}\s/u.test(l));
        expect(passages.flatMap((p) => words(p.text))).toEqual(body.flatMap(words));
        for (const passage of passages) expect(passage.text.trim()).not.toBe("");
      }),
    );
  });

  test("the heading is the path from the title down", () => {
    expect(toPassages("README.md", README).map((p) => p.heading)).toEqual([
      "Hosting",
      "Hosting > Deploying an application",
      "Hosting > Deploying an application > On Linux",
      "Hosting > Threads",
    ]);
  });

  test("a long list is split between its items", () => {
    const item = (n: number) => `- item ${n} ${"word ".repeat(30)}end`;
    const passages = toPassages("a.md", Array.from({ length: 20 }, (_, n) => item(n)).join("\n"));
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text).toMatch(/^- item [^]*end$/u);
  });

  test("a fenced block stays whole and its comments are no headings", () => {
    const code = Array.from({ length: 60 }, (_, i) => `# line ${i} of a long block\n`).join("\n");
    const passages = toPassages("a.md", `# A\n\n${"word ".repeat(150)}\n\n\`\`\`sh\n${code}\n\`\`\`\n\nafter`);
    expect(passages.every((p) => p.heading === "A")).toBe(true);
    for (const { text } of passages) expect((text.match(/```/gu)?.length ?? 0) % 2).toBe(0);
  });
});

describe("search", () => {
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "docs-"));
    await mkdir(join(root, "docs/decisions"), { recursive: true });
    await writeFile(join(root, "README.md"), README);
    await writeFile(join(root, "docs/decisions/0001-sqlite.md"), "# SQLite\n\nThe embedded database is SQLite.\n");
    await writeFile(join(root, "docs/notes.txt"), "SQLite is not Markdown here");
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test.each([
    ["how do I deploy?", "README.md", "Hosting > Deploying an application"],
    ["what is a thread", "README.md", "Hosting > Threads"],
    ["deployed applications", "README.md", "Hosting > Deploying an application"],
    ["which databse is embedded", "docs/decisions/0001-sqlite.md", "SQLite"],
  ])("%s", async (query, file, heading) => {
    const result = SearchDocsResult.parse(await createSearchDocs(root).invoke({ query }));
    expect(result.passages[0]).toMatchObject({ file, heading });
    expect(result.passages.length).toBeLessThanOrEqual(3);
  });

  test("a question about anything else finds no passage", async () => {
    const { search } = await openDocs(root);
    expect(search("what is the capital of France")).toEqual([]);
    expect(search("the of is")).toEqual([]);
  });

  test("any query finds at most three passages", async () => {
    const { search } = await openDocs(root);
    fc.assert(
      fc.property(fc.string(), (query) => {
        expect(search(query).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  test("without any documentation the result has a note", async () => {
    const result = await createSearchDocs(join(root, "nowhere")).invoke({ query: "deploy" });
    expect(result).toMatchObject({ passages: [], note: expect.stringContaining("no documentation") });
  });

  test("the files are read once", async () => {
    const searchDocs = createSearchDocs(root);
    await searchDocs.invoke({ query: "thread" });
    await writeFile(join(root, "docs/late.md"), "# Zebra\n\nzebra\n");
    expect(await searchDocs.invoke({ query: "zebra" })).toMatchObject({ passages: [] });
  });
});
