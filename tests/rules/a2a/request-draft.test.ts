import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dialect, methods } from "../../../lib/protocol/a2a.ts";
import { parseGet, parseId, parseList, parseParams, parseSend } from "../../../lib/protocol/a2a-input.ts";
import {
  compose,
  type Composed,
  type RequestDraft,
  methodNamed,
  takesMessage,
  triedVerbs,
} from "../../../lib/rules/a2a/request-draft.ts";

const dialect = fc.constantFrom<Dialect>("0.3", "1.0");
const maybeId = fc.oneof(fc.constant(""), fc.uuid());
const draft: fc.Arbitrary<RequestDraft> = fc.record({
  dialect,
  verb: fc.constantFrom(...triedVerbs),
  as: fc.constantFrom("text", "data"),
  written: fc.oneof(
    fc.string(),
    fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  ),
  contextId: maybeId,
  taskId: maybeId,
  over: fc.boolean(),
});
const ids = { rpc: 7, message: "m-1" };
const plain: RequestDraft = {
  dialect: "1.0",
  verb: "send",
  as: "text",
  written: "Hi",
  contextId: "",
  taskId: "",
  over: false,
};

function composed(one: RequestDraft): Composed {
  const made = compose(one, ids);
  if ("problem" in made) throw new Error(made.problem);
  return made;
}

describe("a request that a user drafts", () => {
  it("is parsed by the server as it was meant, in either generation, or has a problem that says what is missing", () => {
    fc.assert(
      fc.property(draft, (one) => {
        const made = compose(one, ids);
        if ("problem" in made) {
          expect(made.problem).toMatch(/\.$|JSON/);
          return;
        }
        const { method, params, id } = made.body;
        expect(id).toBe(7);
        expect(methods.get(method)).toEqual({ dialect: one.dialect, verb: one.verb });
        expect(parseParams(params).ok).toBe(true);
        if (takesMessage(one.verb)) {
          const sent = parseSend(params, one.dialect);
          const taskId = one.taskId !== "" && !one.over ? one.taskId : undefined;
          expect(sent).toMatchObject({ ok: true, value: { messageId: "m-1", wait: true } });
          expect(sent.ok && sent.value.taskId).toBe(taskId);
          expect(sent.ok && (sent.value.contextId ?? "")).toBe(one.contextId);
        } else if (one.verb === "list") expect(parseList(params).ok).toBe(true);
        else if (one.verb === "get") expect(parseGet(params)).toMatchObject({ value: { id: one.taskId } });
        else if (one.verb !== "extendedCard") expect(parseId(params)).toEqual({ ok: true, value: one.taskId });
      }),
      { numRuns: 400 },
    );
  });

  it("has the method and part names of its generation", () => {
    expect(composed(plain).body.params).toEqual({
      message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Hi" }] },
    });
    expect(composed({ ...plain, dialect: "0.3" }).body.params).toEqual({
      message: { kind: "message", messageId: "m-1", role: "user", parts: [{ kind: "text", text: "Hi" }] },
    });
    expect(composed(plain).version).toEqual({ "a2a-version": "1.0" });
    expect(composed({ ...plain, dialect: "0.3" }).version).toEqual({});
    expect(methodNamed("0.3", "subscribe")).toBe("tasks/resubscribe");
    expect(methodNamed("1.0", "extendedCard")).toBe("GetExtendedAgentCard");
  });

  it("takes all parameters as written, if they are an object", () => {
    const written = '{"message":{"odd":1}}';
    expect(composed({ ...plain, as: "params", written }).body.params).toEqual({ message: { odd: 1 } });
    for (const wrong of ["", "[1]", "{", "5"]) {
      expect(compose({ ...plain, as: "params", written: wrong }, ids)).toHaveProperty("problem");
    }
  });
});
