import fc from "fast-check";
import { expect, test } from "vitest";
import { merge } from "../../lib/http/merge.ts";
import { allOf } from "../support/all-of.ts";

async function* of<T>(pieces: readonly T[], ended: () => void = () => undefined): AsyncGenerator<T, void, undefined> {
  try {
    for (const piece of pieces) {
      await Promise.resolve();
      yield piece;
    }
  } finally {
    ended();
  }
}

test("everything that the sources yield is received, each source in its order, and then the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat(), { maxLength: 6 }), { maxLength: 4 }), async (lists) => {
      const received = await allOf(merge(lists.map((list, source) => of(list.map((piece) => ({ source, piece }))))));
      for (const [source, list] of lists.entries()) {
        expect(received.filter((one) => one.source === source).map((one) => one.piece)).toEqual(list);
      }
      expect(received.length).toBe(lists.flat().length);
    }),
  );
});

test("what a source throws is thrown, after what came before it", async () => {
  async function* broken(): AsyncGenerator<string, void, undefined> {
    yield await Promise.resolve("one");
    throw new Error("torn");
  }
  const received: string[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of merge([broken()])) received.push(piece);
  };
  await expect(read()).rejects.toThrow("torn");
  expect(received).toEqual(["one"]);
});

test("a reader that stops closes every source", async () => {
  const ended: string[] = [];
  const sources = ["a", "b"].map((name) => of(["1", "2", "3"], () => void ended.push(name)));
  for await (const _ of merge(sources)) break;
  await new Promise(setImmediate);
  expect(ended.toSorted()).toEqual(["a", "b"]);
});

test("of each source no more than one piece is taken ahead", async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<number, void, undefined> {
    for (;;) yield await Promise.resolve(taken++);
  }
  const merged = merge([endless()]);
  await merged.next();
  await new Promise(setImmediate);
  expect(taken).toBeLessThanOrEqual(3);
  await merged.return();
});
