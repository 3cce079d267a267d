/** Serves one application in TypeScript with every Node.js version that a configuration may name. */
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, expect, test } from "vitest";
import { nodeMajors } from "../../lib/rules/preflight/node.ts";
import { newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { INSTALL_MS } from "../support/built-packages.ts";
import { call, untilState } from "../support/control.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ own: true });
afterAll(async () => {
  removeFolders();
});

/** There is no tsconfig.json anywhere up to the source's root. */
const files = (node: number): Record<string, string> => ({
  "graphlib.json": JSON.stringify({ graphs: { agent: "./src/agent.ts:graph" }, node_version: String(node) }),
  "package.json": JSON.stringify({
    name: "bot",
    private: true,
    type: "module",
    dependencies: { "@langchain/langgraph": "1.4.18", "@langchain/core": "1.2.13", zod: "4.3.6" },
  }),
  "src/mood.ts": 'export enum Mood {\n  calm = "calm",\n}\n',
  "src/agent.ts": `
    import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
    import * as z from "zod";
    import { Mood } from "./mood";
    const State = Annotation.Root({ node: Annotation<string>, mood: Annotation<Mood> });
    export const graph = new StateGraph(State)
      .addNode("tell", () => ({ node: process.versions.node, mood: z.enum(Mood).parse("calm") }))
      .addEdge(START, "tell")
      .addEdge("tell", END)
      .compile();
  `,
});

test.each(nodeMajors)(
  "Node.js %i serves TypeScript without a tsconfig.json",
  async (node) => {
    const path = newFolder();
    writeFiles(path, files(node));
    const name = `node-${node}`;
    const body = { name, source: { type: "folder", path } };
    expect((await call(server, "POST", "/deployments", body)).status).toBe(201);
    await untilState(server, name, ["live"]);
    const client = new Client({ apiUrl: `${server.url}/agents/${name}` });
    const values = await client.runs.wait(null, "agent", { input: { node: "" } });
    expect(values).toEqual({ node: expect.stringMatching(`^${node}\\.`), mood: "calm" });
  },
  INSTALL_MS,
);
