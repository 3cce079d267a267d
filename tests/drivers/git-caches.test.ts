import { mkdirSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createGitCaches } from "../../lib/drivers/sources/git-caches.ts";
import { temporary } from "../support/sources.ts";

const root = temporary("git-caches");
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a fetch that is cancelled while it waits lets no other use the repository beside the one at work", async () => {
  const caches = createGitCaches(root);
  const init = (repository: string) => Promise.resolve(mkdirSync(repository));
  const never = new AbortController().signal;
  const working = Promise.withResolvers<void>();
  const steps: string[] = [];
  const first = caches.use("key", never, init, async () => {
    await working.promise;
    steps.push("first");
  });
  const waits = new AbortController();
  const second = caches.use("key", waits.signal, init, () => Promise.resolve(steps.push("second")));
  waits.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow("cancelled");
  const third = caches.use("key", never, init, () => Promise.resolve(steps.push("third")));
  setTimeout(working.resolve, 100);
  await Promise.all([first, third]);
  expect(steps).toEqual(["first", "third"]);
});
