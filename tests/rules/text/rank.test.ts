import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchScore, rank } from "../../../lib/rules/text/rank.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "D", "-"), minLength: 1, maxLength: 6 });
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const choices = fc.array(fc.record({ title, keywords: fc.array(title, { maxLength: 3 }) }), { maxLength: 12 });
const titles = (found: readonly { title: string }[]): string[] => found.map((one) => one.title);

describe("ranking", () => {
  test("an empty query keeps all choices in their order", () => {
    fc.assert(
      fc.property(choices, fc.constantFrom("", " ", "\t"), (all, query) => {
        expect(rank(query, all)).toEqual(all);
      }),
    );
  });

  test("finds only choices that were given, each once", () => {
    fc.assert(
      fc.property(choices, title, (all, query) => {
        const found = rank(query, all);
        expect(new Set(found).size).toBe(found.length);
        for (const one of found) expect(all).toContain(one);
      }),
    );
  });

  test("typing on never finds more", () => {
    fc.assert(
      fc.property(choices, title, word, (all, query, more) => {
        const before = new Set(rank(query, all));
        for (const one of rank(query + more, all)) expect(before.has(one)).toBe(true);
        for (const one of rank(`${query} ${more}`, all)) expect(before.has(one)).toBe(true);
      }),
    );
  });

  test("a choice whose title was typed in full comes first", () => {
    fc.assert(
      fc.property(choices, title, (all, typed) => {
        const found = rank(typed.toUpperCase(), [...all, { title: typed }]);
        expect(found[0]?.title.toLowerCase()).toBe(typed.toLowerCase());
      }),
    );
  });

  test("equal choices keep their order", () => {
    fc.assert(
      fc.property(title, title, fc.integer({ min: 2, max: 9 }), (name, query, count) => {
        const all = Array.from({ length: count }, (_, at) => ({ title: name, at }));
        const found = rank(query, all);
        expect(found.map((one) => one.at)).toEqual(found.length === 0 ? [] : all.map((one) => one.at));
      }),
    );
  });

  test("the beginning of the title is worth more than that of a word, of a middle, of a keyword, of mere letters", () => {
    const all = [
      { title: "Later objects get sorted" },
      { title: "Anything", keywords: ["catalogs"] },
      { title: "Anything", keywords: ["logs"] },
      { title: "Catalogs" },
      { title: "Server logs" },
      { title: "Logs" },
    ];
    expect(titles(rank("log", all)).slice(0, 3)).toEqual(["Logs", "Server logs", "Catalogs"]);
    expect(rank("log", all).slice(3)).toEqual([all[2], all[1], all[0]]);
  });

  test("every word must be found, in whatever place", () => {
    const room = { title: "Logs", keywords: ["support-bot"] };
    expect(matchScore("bot logs", room)).toBeGreaterThan(0);
    expect(matchScore("bot chat", room)).toBeUndefined();
  });
});
