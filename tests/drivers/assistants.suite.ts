import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AssistantStore } from "../../lib/engine/ports/assistants.ts";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { type Assistant, AssistantFilter, AssistantSearch, VersionSearch } from "../../lib/protocol/assistants.ts";
import { newRun, pending } from "./runs.suite.ts";

export interface AssistantStoreUnderTest {
  assistants: AssistantStore;
  /** The run store of the same database. */
  runs: RunStore & RunEventStore;
  close(): Promise<void>;
}

/** Tests that every assistant store must pass. */
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
      expect(await store.assistants.ensure(assistant)).toBe(true);
      expect(await store.assistants.ensure({ ...assistant, name: "other" })).toBe(false);
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

    test("pages follow each other without overlap, in the requested order, and report the total", async () => {
      const names = ["a", "bb", "ccc", "dddd", "eeeee"];
      for (const graph of names) await store.assistants.ensure(make(graph));
      const pages = await Promise.all([0, 2, 4].map((offset) => found({ limit: 2, offset, sort_order: "asc" })));
      expect(pages.flat()).toEqual(names);
      expect(await found({ sort_by: "name" })).toEqual(names.toReversed());
      const { total } = await store.assistants.search(AssistantSearch.parse({ limit: 1 }));
      expect(total).toBe(5);
    });

    test("count returns the number of assistants that search finds", async () => {
      for (const graph of ["agent", "agents", "echo"]) {
        await store.assistants.ensure(make(graph, { metadata: { team: graph.length } }));
      }
      const count = (filter: object) => store.assistants.count(AssistantFilter.parse(filter));
      expect(await count({})).toBe(3);
      expect(await count({ name: "AGENT" })).toBe(2);
      expect(await count({ name: "agent", metadata: { team: 5 } })).toBe(1);
      expect(await count({ graph_id: "nothing" })).toBe(0);
    });

    const page = (search: object = {}) => VersionSearch.parse(search);
    const rename = (name: string) => (assistant: Assistant) => ({
      ...assistant,
      name,
      metadata: { ...assistant.metadata, [name]: true },
      updated_at: new Date(Date.UTC(2027, 0, 1)).toISOString(),
    });

    test("every change makes a version, which keeps the assistant's fields at that time", async () => {
      const first = make("agent");
      await store.assistants.ensure(first);
      const second = await store.assistants.update(first.assistant_id, rename("two"));
      expect(second).toEqual({ ...rename("two")(first), version: 2 });
      expect(await store.assistants.get(first.assistant_id)).toEqual(second);
      const { updated_at: _, ...kept } = first;
      const versions = await store.assistants.versions(first.assistant_id, page());
      expect(versions.map((one) => one.version)).toEqual([2, 1]);
      expect(versions[1]).toEqual(kept);
      expect(versions[0]).toMatchObject({ name: "two", created_at: second?.updated_at });
      expect(await store.assistants.versions(first.assistant_id, page({ limit: 1, offset: 1 }))).toEqual([kept]);
      expect(await store.assistants.versions(first.assistant_id, page({ metadata: { two: true } }))).toHaveLength(1);
      expect(await store.assistants.update(uuid(), rename("nobody"))).toBeUndefined();
      expect(await store.assistants.versions(uuid(), page())).toEqual([]);
    });

    test("an assistant can return to a version, and the next change gets a number that was never used", async () => {
      const first = make("agent", { config: { tags: ["a"] }, context: { tone: "dry" } });
      const id = first.assistant_id;
      await store.assistants.ensure(first);
      await store.assistants.update(id, rename("two"));
      const now = new Date(Date.UTC(2028, 0, 1)).toISOString();
      expect(await store.assistants.setLatest(id, 1, now)).toEqual({ ...first, updated_at: now });
      expect(await store.assistants.get(id)).toEqual({ ...first, updated_at: now });
      expect(await store.assistants.update(id, rename("three"))).toMatchObject({
        version: 3,
        metadata: { created_by: "system", three: true },
        created_at: first.created_at,
      });
      expect(await store.assistants.setLatest(id, 4, now)).toBeUndefined();
      expect(await store.assistants.setLatest(uuid(), 1, now)).toBeUndefined();
      expect(await store.assistants.get(id)).toMatchObject({ version: 3 });
    });

    test("concurrent changes get distinct version numbers, and none is lost", async () => {
      const change = fc.oneof(
        { weight: 3, arbitrary: fc.constant("update" as const) },
        { weight: 1, arbitrary: fc.constant("back" as const) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 24 }), async (changes) => {
          const { assistant_id: id, ...rest } = make("agent");
          await store.assistants.ensure({ assistant_id: id, ...rest });
          const given = await Promise.all(
            changes.map(async (what, at) => {
              if (what === "update") return await store.assistants.update(id, rename(`n${at}`));
              await store.assistants.setLatest(id, 1, rest.created_at);
              return undefined;
            }),
          );
          const numbers = given.flatMap((one) => (one ? [one.version] : [])).toSorted((a, b) => a - b);
          expect(numbers).toEqual(numbers.map((_, at) => at + 2));
          const versions = await store.assistants.versions(id, page({ limit: 100 }));
          expect(versions.map((one) => one.version)).toEqual([1, ...numbers].toReversed());
          for (const one of given) {
            if (one) expect(versions.find(({ version }) => version === one.version)).toMatchObject({ name: one.name });
          }
          const last = await store.assistants.get(id);
          expect(versions).toContainEqual(expect.objectContaining({ version: last?.version, name: last?.name }));
          if (!changes.includes("back")) expect(Object.keys(last?.metadata ?? {})).toHaveLength(changes.length + 1);
        }),
        { numRuns: 25 },
      );
    });

    test("deletion includes versions and ended runs, and nothing of other assistants", async () => {
      const [gone, other] = [make("agent"), make("echo")];
      const [ended, active, foreign] = [gone, gone, other].map(({ assistant_id }) => newRun({ assistant_id }));
      for (const assistant of [gone, other]) await store.assistants.ensure(assistant);
      for (const run of [ended, active, foreign]) if (run) await store.runs.insert(run);
      const event = { event: "values", data: "{}" };
      for (const run of [ended, foreign])
        await store.runs.finish(pending(run?.run_id ?? ""), { status: "success" }, [event], 1);
      await store.assistants.get(gone.assistant_id);

      expect(await store.assistants.delete(gone.assistant_id)).toBe(true);
      expect(await store.assistants.get(gone.assistant_id)).toBeUndefined();
      expect(await store.assistants.versions(gone.assistant_id, page())).toEqual([]);
      expect(await store.runs.get(ended?.run_id ?? "")).toBeUndefined();
      expect(await store.runs.read(ended?.run_id ?? "", -1, 10)).toEqual([]);
      expect(await store.runs.get(active?.run_id ?? "")).toMatchObject({ status: "pending" });
      expect(await store.runs.read(foreign?.run_id ?? "", -1, 10)).toHaveLength(1);
      expect(await store.assistants.versions(other.assistant_id, page())).toHaveLength(1);
      expect(await store.assistants.delete(gone.assistant_id)).toBe(false);
      expect(await store.assistants.ensure(gone)).toBe(true);
      expect(await store.assistants.versions(gone.assistant_id, page())).toHaveLength(1);
    });
  });
}
