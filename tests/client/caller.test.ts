import { describe, expect, test } from "vitest";
import { callerHeaders, headersIn } from "../../lib/client/caller.ts";
import { headersProblem } from "../../lib/client/custom-headers.ts";

describe("headers that are typed", () => {
  test("are a name, a colon and a value each line, whatever the space around", () => {
    const text = "Authorization: Bearer a:b\n\n  X-Team :\tblue  \n";
    expect(headersProblem(text)).toBeUndefined();
    expect(headersIn(text)).toEqual({ authorization: "Bearer a:b", "x-team": "blue" });
  });

  test.each([
    ["", "at least one"],
    ["  \n ", "at least one"],
    ["Bearer abc", "is no header"],
    ["Authorization:", "is no header"],
    ["Auth orization: x", "is no header"],
    ["Cookie: a=b", "Cookie cannot be sent"],
    ["sec-fetch-site: same-origin", "cannot be sent"],
    ["X-Name: Zoë 🙂", "characters no header can have"],
  ])("%j are refused, with the reason", (text, reason) => {
    expect(headersProblem(text)).toContain(reason);
  });
});

test("outside of a browser a call says nothing of its caller", () => {
  expect(callerHeaders("/agents/default/threads")).toEqual({});
  expect(callerHeaders("http://localhost:1/agents/default/threads")).toEqual({});
});
