/** Tests deployments that servers share: one builds them, and all serve them, whichever was asked. */
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { Upload } from "../../lib/protocol/sources.ts";
import { tarGz } from "../support/archives.ts";
import { newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { INSTALL_MS } from "../support/built-packages.ts";
import { call, untilState } from "../support/control.ts";
import type { TestServer } from "../support/server.ts";
import { startS3 } from "../support/s3-server.ts";
import { sharingServers } from "../support/sharing-servers.ts";

// Each wait here is for several servers, which have processes to start.
vi.setConfig({ testTimeout: INSTALL_MS });
const BYTES = { "content-type": "application/octet-stream" };
const servers = await sharingServers(newFolder(), "deployments");
afterAll(removeFolders);

/** A graph that tells which revision of the code it is, and what a variable holds. */
const graph = (text: string, more = ""): Record<string, string> => ({
  "graphlib.json": JSON.stringify({ graphs: { agent: "./agent.ts:graph" } }),
  "agent.ts": `
    import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
    ${more}
    const State = Annotation.Root({ text: Annotation<string>, secret: Annotation<string> });
    export const graph = new StateGraph(State)
      .addNode("tell", () => ({ text: ${JSON.stringify(text)}, secret: process.env.TOKEN ?? "" }))
      .addEdge(START, "tell").addEdge("tell", END).compile();
  `,
});

describe.skipIf(!servers.isFound)("servers that share deployments", () => {
  let asked: TestServer;
  let builder: TestServer;
  let executor: TestServer;
  beforeAll(async () => {
    [asked, builder, executor] = await Promise.all([
      servers.start("api"),
      servers.start("build"),
      servers.start("run"),
    ]);
  });
  afterAll(() => servers.close());

  const clientOf = ({ url }: TestServer, name: string): Client =>
    new Client({ apiUrl: `${url}/agents/${name}`, apiKey: null });
  const answerOf = async (server: TestServer, name: string): Promise<Record<string, unknown>> =>
    (await clientOf(server, name).runs.wait(null, "agent", { input: { text: "" } })) as Record<string, unknown>;
  const recordOf = async (server: TestServer, name: string): Promise<DeploymentRecord> =>
    (await call<DeploymentRecord>(server, "GET", `/deployments/${name}`)).json;
  const untilServed = (name: string, revision: number): Promise<void> =>
    expect
      .poll(async () => (await recordOf(asked, name)).servers.map((one) => one.revision), { timeout: 60_000 })
      .toEqual([revision, revision, revision]);

  test(
    "build an upload that one of them received, and serve it with its packages and variables on all",
    async () => {
      const files = {
        ...graph("first"),
        "package.json": JSON.stringify({
          private: true,
          type: "module",
          dependencies: { "@langchain/langgraph": "1.4.18", "@langchain/core": "1.2.13" },
        }),
      };
      const archive = tarGz(Object.entries(files).map(([name, body]) => ({ name, body })));
      const uploaded = await fetch(`${asked.url}/api/uploads`, {
        method: "PUT",
        headers: BYTES,
        body: new Uint8Array(archive),
      });
      const { upload_id } = (await uploaded.json()) as Upload;
      const source = { type: "upload", upload_id, file_name: "app.tar.gz" };
      const body = { name: "sent", source, environment: { variables: { TOKEN: "of the deployment" } } };
      expect(await call(asked, "POST", "/deployments", body)).toMatchObject({ status: 201 });
      expect(await untilState(executor, "sent", ["live"])).toMatchObject({ number: 1 });
      await untilServed("sent", 1);
      for (const server of [asked, builder, executor]) {
        const answer = await answerOf(server, "sent");
        expect(answer).toMatchObject({ text: "first", secret: "of the deployment" });
      }
      const log = await call(executor, "GET", "/deployments/sent/revisions/1/log?after=-1");
      expect(log.text).toContain("Stored for all servers");
    },
    INSTALL_MS,
  );

  test("serve a new revision on all, and go back to the one before", async () => {
    const path = newFolder();
    writeFiles(path, graph("one"));
    const source = { type: "folder", path };
    expect(await call(asked, "POST", "/deployments", { name: "twice", source })).toMatchObject({ status: 201 });
    await untilState(asked, "twice", ["live"]);
    await untilServed("twice", 1);
    expect(await answerOf(asked, "twice")).toMatchObject({ text: "one" });
    writeFiles(path, graph("two"));
    await call(executor, "POST", "/deployments/twice/revisions", {});
    await untilServed("twice", 2);
    expect(await answerOf(asked, "twice")).toMatchObject({ text: "two" });
    expect(await call(asked, "POST", "/deployments/twice/rollback", { revision: 1 })).toMatchObject({ status: 201 });
    await untilServed("twice", 3);
    expect(await answerOf(asked, "twice")).toMatchObject({ text: "one" });
  });

  test("delete a deployment on all, and a later one of its name is another one", async () => {
    const path = newFolder();
    writeFiles(path, graph("old"));
    const source = { type: "folder", path };
    await call(asked, "POST", "/deployments", { name: "again", source });
    await untilServed("again", 1);
    await clientOf(asked, "again").threads.create();
    expect(await call(executor, "DELETE", "/deployments/again?confirm=again")).toMatchObject({ status: 204 });
    expect(await call(asked, "GET", "/deployments/again")).toMatchObject({ status: 404 });
    writeFiles(path, graph("new"));
    expect(await call(builder, "POST", "/deployments", { name: "again", source })).toMatchObject({ status: 201 });
    await untilServed("again", 1);
    expect(await clientOf(asked, "again").threads.count()).toBe(0);
    expect(await answerOf(asked, "again")).toMatchObject({ text: "new" });
  });

  test("cancel a build of another server, and go on with the next", async () => {
    const path = newFolder();
    writeFiles(path, { ...graph("slow", "await new Promise((done) => setTimeout(done, 60_000));") });
    const source = { type: "folder", path };
    await call(asked, "POST", "/deployments", { name: "slow", source });
    await untilState(asked, "slow", ["starting"]);
    const cancelled = await call(asked, "POST", "/deployments/slow/revisions/1/cancel", {});
    expect(cancelled).toMatchObject({ status: 200, json: { state: "cancelled" } });
    writeFiles(path, graph("quick"));
    await call(asked, "POST", "/deployments/slow/revisions", {});
    await untilServed("slow", 2);
    await call(asked, "POST", "/deployments/slow/revisions", {});
    expect(await call(executor, "DELETE", "/deployments/slow?confirm=slow")).toMatchObject({ status: 204 });
  });

  test("say which of them cannot bring the files of a build, while the others serve it", async () => {
    const path = newFolder();
    writeFiles(path, graph("one"));
    await call(asked, "POST", "/deployments", { name: "lost", source: { type: "folder", path } });
    await untilServed("lost", 1);
    await executor.drain();
    writeFiles(path, graph("two"));
    await call(asked, "POST", "/deployments/lost/revisions", {});
    await expect
      .poll(async () => (await recordOf(asked, "lost")).servers.map((one) => one.revision), { timeout: 60_000 })
      .toEqual([2, 2]);
    await servers.execute((table) => `delete from ${table("blob_pieces")}`);
    const [late, other] = await Promise.all([servers.start("run"), servers.start("api,run")]);
    executor = late;
    const problem =
      "The files of revision 2 could not be found in the database. Is GRAPHLIB_BLOBS the same on all servers?";
    const problems = async () => (await recordOf(asked, "lost")).servers.map((one) => one.problem ?? "");
    await expect.poll(problems, { timeout: 60_000 }).toEqual(["", problem, "", problem]);
    expect(await recordOf(other, "lost")).toMatchObject({ status: "degraded" });
    expect(await recordOf(asked, "lost")).toMatchObject({ status: "degraded" });
    expect((await clientOf(asked, "lost").threads.search()).length).toBe(0);
    // The builder has the files, and stores them again with the next revision.
    await call(asked, "POST", "/deployments/lost/revisions", {});
    await expect.poll(problems, { timeout: 60_000 }).toEqual(["", "", "", ""]);
    expect(await answerOf(asked, "lost")).toMatchObject({ text: "two" });
  });
});

const s3 = await startS3();
const bucket = await s3?.bucket("graphlib-builds");
afterAll(() => s3?.stop());

const PLACES: { place: string; env: Record<string, string>; skip: boolean }[] = [
  { place: "a folder", env: { GRAPHLIB_BLOBS: newFolder() }, skip: false },
  {
    place: "S3",
    env: {
      GRAPHLIB_BLOBS: `s3://${bucket}/of/tests`,
      AWS_ENDPOINT_URL: s3?.endpoint ?? "",
      AWS_ACCESS_KEY_ID: s3?.keys.accessKeyId ?? "",
      AWS_SECRET_ACCESS_KEY: s3?.keys.secretAccessKey ?? "",
    },
    skip: s3 === undefined,
  },
];

test.skipIf(!servers.isFound).each(PLACES.filter(({ skip }) => !skip))(
  "builds are kept in $place",
  async ({ place, env }) => {
    const placed = await sharingServers(newFolder(), place.replace(/\W/, "").toLowerCase(), env);
    try {
      const [builder] = await Promise.all([placed.start("api,build"), placed.start("run")]);
      const path = newFolder();
      writeFiles(path, graph("kept"));
      await call(builder, "POST", "/deployments", { name: "kept", source: { type: "folder", path } });
      const revisions = async () =>
        (await call<DeploymentRecord>(builder, "GET", "/deployments/kept")).json.servers.map((one) => one.revision);
      await expect.poll(revisions, { timeout: 60_000 }).toEqual([1, 1]);
      const client = new Client({ apiUrl: `${builder.url}/agents/kept`, apiKey: null });
      expect(await client.runs.wait(null, "agent", { input: { text: "" } })).toMatchObject({
        text: "kept",
      });
    } finally {
      await placed.close();
    }
  },
);
