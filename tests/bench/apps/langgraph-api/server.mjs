/** Starts the development server of LangGraph in a folder that holds its packages and graphs. Prints its port. */
import { startServer } from "@langchain/langgraph-api/server";

/** Its command line starts 10. They look for runs at random times, so more of them find one sooner: 15 ms, not 60. */
const WORKERS = 100;

const { host } = await startServer({
  port: 0,
  host: "127.0.0.1",
  cwd: import.meta.dirname,
  nWorkers: WORKERS,
  graphs: { one: "./graphs.mjs:one", tokens: "./graphs.mjs:tokens" },
});
console.log(`port ${host.split(":").at(-1)}`);
