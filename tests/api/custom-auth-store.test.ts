import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: join(import.meta.dirname, "apps", "guarded") });

const as = (user: string) =>
  new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { authorization: `Bearer ${user}` } });
const storeOf = (user: string) => as(user).store;
const refused = (status: number) => expect.objectContaining({ status });

test("namespaces that a handler changes are the ones that are searched and listed", async () => {
  const [ada, bob] = [storeOf("ada"), storeOf("bob")];
  await ada.putItem(["notes", "tea"], "one", { kind: "note" });
  await bob.putItem(["notes", "coffee"], "one", { kind: "note" });
  expect((await ada.searchItems(["notes"])).items).toMatchObject([{ namespace: ["ada", "notes", "tea"] }]);
  expect(await ada.listNamespaces({})).toEqual({ namespaces: [["ada", "notes", "tea"]] });
  expect(await bob.listNamespaces({ prefix: ["notes"], maxDepth: 2 })).toEqual({ namespaces: [["bob", "notes"]] });
  await bob.deleteItem(["notes", "tea"], "one");
  expect(await ada.getItem(["notes", "tea"], "one")).toMatchObject({ key: "one" });
});

describe("a filter", () => {
  const [red, blue] = [() => storeOf("team red"), () => storeOf("team blue")];

  test("hides the items of others from reads, searches and lists of namespaces", async () => {
    await red().putItem(["plans"], "r", { owner: "team red", n: 1 });
    await blue().putItem(["plans"], "b", { owner: "team blue", n: 1 });
    await blue().putItem(["secrets", "deep"], "b", { owner: "team blue" });
    expect(await red().getItem(["plans"], "b")).toBeNull();
    expect((await red().searchItems([])).items.map(({ key }) => key)).toEqual(["r"]);
    expect((await blue().searchItems([], { filter: { n: 1 }, limit: 1 })).items.map(({ key }) => key)).toEqual(["b"]);
    expect(await red().listNamespaces({})).toEqual({ namespaces: [["plans"]] });
    expect(await blue().listNamespaces({ limit: 1, offset: 1 })).toEqual({ namespaces: [["secrets", "deep"]] });
    expect(await red().listNamespaces({ suffix: ["deep"] })).toEqual({ namespaces: [] });
  });

  test("refuses an item that it would hide, and overwriting a hidden item", async () => {
    await blue().putItem(["plans"], "kept", { owner: "team blue" });
    await expect(red().putItem(["plans"], "new", { owner: "team blue" })).rejects.toEqual(refused(403));
    await expect(red().putItem(["plans"], "kept", { owner: "team red" })).rejects.toEqual(refused(404));
    await red().deleteItem(["plans"], "kept");
    expect(await blue().getItem(["plans"], "kept")).toMatchObject({ value: { owner: "team blue" } });
    await blue().deleteItem(["plans"], "kept");
    expect(await blue().getItem(["plans"], "kept")).toBeNull();
  });
});

test("a graph has the whole store, and knows which part of it its caller sees", async () => {
  const places = async (user: string) => await as(user).runs.wait(null, "keeper", { input: {} });
  const erins = ["erin", "notes", "kept"];
  expect(await places("erin")).toMatchObject({ mine: [erins] });
  const found = await places("frank");
  expect(found).toMatchObject({ mine: [["frank", "notes", "kept"]], all: expect.arrayContaining([erins]) as string[] });
  expect(await storeOf("erin").getItem(["notes"], "kept")).toMatchObject({ namespace: ["erin", "notes"] });
});
