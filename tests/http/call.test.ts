import { expect, test } from "vitest";
import { pathParams } from "../../lib/http/call.ts";

test("path parameters, which Next has decoded, are not decoded again", async () => {
  const params = Promise.resolve({ deployment: "default", checkpoint_id: "100%", assistant_id: "%41" });
  expect(await pathParams({ params })).toEqual({ deployment: "default", checkpoint_id: "100%", assistant_id: "%41" });
});

test("a path without parameters has none", async () => {
  expect(await pathParams({ params: Promise.resolve(undefined) })).toEqual({});
});
