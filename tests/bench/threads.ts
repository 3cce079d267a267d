/** Measures how the time of a turn and the database's file grow with a thread: one process, one database, one run at a time. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { startWorkerWithDatabase } from "../support/worker-with-database.ts";
import { median } from "./measure.ts";

const TURNS = 500;
const SHOWN = new Set([100, 250, 500]);
const ROUNDS = 25;
const WORDS =
  "a message as people write them, of about a hundred and fifty characters, so that files and times mean something";

export async function longThread(): Promise<void> {
  const worker = await startWorkerWithDatabase(resolve(import.meta.dirname, "app"), { one: "./graphs.mjs:one" });
  const turn = async (thread: string, n: number): Promise<number> => {
    const config = { configurable: { thread_id: thread } };
    const input = { messages: [{ role: "user", content: `${n}: ${WORDS}` }] };
    const start = performance.now();
    const { error } = await worker.run({ graph: "one", input, config, modes: ["updates"] });
    if (error) throw new Error(error.message);
    return performance.now() - start;
  };
  const sizes: string[] = [];
  for (let n = 1; n < TURNS; n++) {
    await turn("long", n);
    if (SHOWN.has(n + 1)) sizes.push(`${n + 1}: ${(fileSize(worker.file) / 1024).toFixed(0)} kB`);
  }
  // Turns of both threads alternate, so that other programs of this machine slow both alike.
  const [short, long]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 1; n < 5; n++) await turn(`short ${round}`, n);
    short.push(await turn(`short ${round}`, 5));
    long.push(await turn("long", TURNS + round));
  }
  console.log(
    `one thread, two messages a turn: turn 5 ${median(short).toFixed(2)} ms, turn ${TURNS} ${median(long).toFixed(2)} ms,` +
      ` ratio ${(median(long) / median(short)).toFixed(2)}; file at turn ${sizes.join(", ")}\n`,
  );
  await worker.stop();
}

/** Returns the size of the database after a checkpoint of its write-ahead log. */
function fileSize(file: string): number {
  const database = new Sqlite(file);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  return statSync(file).size;
}
