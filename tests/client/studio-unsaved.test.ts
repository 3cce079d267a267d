/** Drives the state of a studio page after runs that failed before they saved anything, against a real server. */
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { NO_BREAKPOINTS, type RunOptions } from "../../lib/client/studio/request.ts";
import { createStudio, type Studio } from "../../lib/client/studio/studio.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ own: true, app: join(import.meta.dirname, "apps/keyless") });
beforeAll(() => {
  stubBrowser();
});

const newStudio = (): Studio => createStudio({ base: server.url, onThread: () => {} });
const optionsFor = (assistant: string): RunOptions => ({
  assistant,
  breakpoints: NO_BREAKPOINTS,
  pauseEverywhere: false,
  subgraphs: true,
});

async function reopened(studio: Studio): Promise<Studio> {
  const other = newStudio();
  await other.open(studio.state().threadId);
  return other;
}

test("a run that saved nothing says why after a reload, until something is saved", async () => {
  const { assistants } = new Client({ apiUrl: server.url });
  const config = { configurable: { key: "none" } };
  const { assistant_id } = await assistants.create({ graphId: "keyless", config });
  const studio = newStudio();
  await studio.start({ input: { text: "Hello" } }, optionsFor(assistant_id));
  expect(studio.state()).toMatchObject({ history: [], run: { status: "error" } });
  const { run } = studio.state();
  expect(JSON.stringify(run)).toContain("There is no key for the model");
  expect((await reopened(studio)).state().run).toEqual(run);

  await studio.start({ input: { text: "Hello" } }, optionsFor("keyless"));
  expect((await reopened(studio)).state().run?.status).toBe("success");
  await studio.start({ input: { text: "Once more" } }, optionsFor(assistant_id));
  const last = await reopened(studio);
  expect(last.state().run).toEqual(studio.state().run);
  expect(last.state().history).toHaveLength(3);
  await last.edit({ values: { text: "by hand" } });
  expect((await reopened(studio)).state().run?.status).not.toBe("error");
});
