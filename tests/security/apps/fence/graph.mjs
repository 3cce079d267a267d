// Tries each requested operation. Returns its result as text, or the code of its error.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const run = (command) =>
  execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const tries = {
  read: (path) => readFileSync(path, "latin1"),
  list: (path) => readdirSync(path).join(" "),
  write: (path) => writeFileSync(path, "mine") ?? "written",
  run,
  // The path seems to stay in the temporary folder, but the link leads to a folder beside the file.
  around(path, beside) {
    const link = join(tmpdir(), "beside");
    run(`ln -sfn ${join(dirname(path), beside)} ${link}`);
    return readFileSync(`${link}/../${basename(path)}`, "latin1");
  },
  // node:sqlite opens files without a permission check, once addons are allowed.
  async database(path) {
    const { DatabaseSync } = await import("node:sqlite");
    return JSON.stringify(new DatabaseSync(path, { readOnly: true }).prepare("select name from sqlite_master").all());
  },
  // Starts processes that leave their session and environment, and whose parents end.
  escape(count, seconds) {
    run(
      `i=0; while [ $i -lt ${count} ]; do (env -i setsid sh -c 'sleep ${seconds} >/dev/null 2>&1 &' &); i=$((i + 1)); done`,
    );
    return "gone";
  },
  // Sends a request from such a process.
  post: (url) =>
    run(
      `env -i setsid ${process.execPath} -e 'fetch("${url}", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).then(async (answer) => console.log(answer.status, await answer.text()))'`,
    ),
  // Tries twelve keys in a row, with made-up addresses.
  async guess(url) {
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      const headers = { "x-api-key": `guess ${n}`, "x-forwarded-for": `203.0.113.${n}` };
      statuses.push((await fetch(url, { headers })).status);
    }
    return statuses.join(" ");
  },
  parent: () => String(process.ppid),
};

const codeOf = (error) => error.code ?? error.cause?.code ?? error.message;

const State = Annotation.Root({ ask: Annotation(), answers: Annotation() });
export const hostile = new StateGraph(State)
  .addNode("try", async ({ ask }) => {
    const answers = [];
    for (const [what, ...how] of ask) {
      try {
        answers.push({ got: await tries[what](...how) });
      } catch (error) {
        answers.push({ refused: String(codeOf(error)) });
      }
    }
    return { answers };
  })
  .addEdge(START, "try")
  .addEdge("try", END)
  .compile();
