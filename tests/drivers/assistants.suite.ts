import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AssistantStore } from "../../lib/engine/ports.ts";
import { type Assistant, AssistantSearch } from "../../lib/protocol/assistants.ts";

export interface AssistantStoreUnderTest {
  assistants: AssistantStore;
  close(): Promise<void>;
}

/** The facts every assistant store keeps. */
export function assistantStoreSuite(name: string, open: () => Promise<AssistantStoreUnderTest>): void {
  describe(`assistants in ${name}`, () => {
    let store: AssistantStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const make = (graph: string, changes: Partial<Assistant> = {}): Assistant => ({
      assistant_id: uuid(),
      graph_id: graph,
      name: graph,
      description: null,
      config: {},
      context: {},
      metadata: { created_by: "system" },
      version: 1,
      created_at: new Date(Date.UTC(2026, 0, graph.length)).toISOString(),
      updated_at: new Date().toISOString(),
      ...changes,
    });
    const found = async (search: object): Promise<string[]> => {
      const page = await store.assistants.search(AssistantSearch.parse(search));
      return page.assistants.map((assistant) => assistant.name);
    };

    test("ensuring an assistant that exists changes nothing", async () => {
      const assistant = make("agent");
      await store.assistants.ensure(assistant);
      await store.assistants.ensure({ ...assistant, name: "other" });
      expect(await store.assistants.get(assistant.assistant_id)).toEqual(assistant);
      expect(await store.assistants.get(uuid())).toBeUndefined();
    });

    test("search filters by graph, by part of the name in any case, and by metadata of any JSON type", async () => {
      await store.assistants.ensure(make("agent", { metadata: { team: "blue", n: 1, deep: { a: [1, null] } } }));
      await store.assistants.ensure(make("Approval", { metadata: { team: "red", n: "1", on: true } }));
      expect(await found({ graph_id: "agent" })).toEqual(["agent"]);
      expect(await found({ name: "APP" })).toEqual(["Approval"]);
      expect(await found({ name: "%" })).toEqual([]);
      expect(await found({ metadata: { team: "blue", n: 1 } })).toEqual(["agent"]);
      expect(await found({ metadata: { n: "1" } })).toEqual(["Approval"]);
      expect(await found({ metadata: { on: true } })).toEqual(["Approval"]);
      expect(await found({ metadata: { deep: { a: [1, null] } } })).toEqual(["agent"]);
      expect(await found({ metadata: { team: "green" } })).toEqual([]);
    });

    test("pages follow each other without overlap, in the order asked for, and tell the total", async () => {
      const names = ["a", "bb", "ccc", "dddd", "eeeee"];
      for (const graph of names) await store.assistants.ensure(make(graph));
      const pages = await Promise.all([0, 2, 4].map((offset) => found({ limit: 2, offset, sort_order: "asc" })));
      expect(pages.flat()).toEqual(names);
      expect(await found({ sort_by: "name" })).toEqual(names.toReversed());
      const { total } = await store.assistants.search(AssistantSearch.parse({ limit: 1 }));
      expect(total).toBe(5);
    });
  });
}
