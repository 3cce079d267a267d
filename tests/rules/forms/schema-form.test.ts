import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../../../lib/worker/schemas/messages.ts";
import { type Field, rootField } from "../../../lib/rules/forms/schema-field.ts";
import {
  itemsOf,
  membersOf,
  readNumber,
  shownField,
  startValue,
  takesOthers,
  withItem,
  withMember,
  withMoved,
} from "../../../lib/rules/forms/schema-form.ts";

type Path = readonly (string | number)[];

/** One control of a form, and the path of the value that it edits. */
interface Control {
  readonly path: Path;
  readonly field: Field;
  readonly value: unknown;
  readonly isKnown: boolean;
}

/** Walks a form as the page renders it, and returns its controls. */
function controlsOf(field: Field, value: unknown, path: Path = [], isKnown = true): Control[] {
  const shown = shownField(field, value, path.length);
  if (shown.kind === "object" && value !== undefined && value !== null) {
    return membersOf(shown, value).flatMap((one) =>
      controlsOf(one.field, one.value, [...path, one.key], isKnown && one.isKnown),
    );
  }
  if (shown.kind === "list" && Array.isArray(value)) {
    return itemsOf(shown, value).flatMap((one) => controlsOf(one.field, one.value, [...path, one.key], isKnown));
  }
  return [{ path, field: shown, value, isKnown }];
}

/** Edits the value at a path as the page does: each level sets its member or item. */
function edited(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (typeof key === "number") {
    const list = value as unknown[];
    return withItem(list, key, edited(list[key], rest, next));
  }
  const members = value as Record<string, unknown>;
  return withMember(value, key, edited(Object.hasOwn(members, key) ? members[key] : undefined, rest, next));
}

const json = fc.jsonValue({ maxDepth: 6 });
const names = fc.oneof(fc.constantFrom("a", "b", "messages", "__proto__", "toString", ""), fc.string());
const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>({ type: "string" }, { type: "integer" }, { type: "boolean" }, { type: "null" }, {}, true),
    fc.constantFrom<unknown>(
      { type: "string", langgraph_type: "prompt" },
      { $ref: "#" },
      { $ref: "#/$defs/a" },
      MESSAGES,
    ),
    fc.record({ enum: fc.array(json, { maxLength: 3 }) }),
    fc.record({ const: json }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ type: fc.constant("array"), prefixItems: fc.array(tie("schema"), { maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ type: fc.array(fc.constantFrom("string", "null", "object", "number"), { maxLength: 3 }) }),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
        required: fc.array(names, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        $defs: fc.record({ a: tie("schema") }),
      },
      { requiredKeys: ["type"] },
    ),
    json,
  ),
}));
const objects = fc.dictionary(names, json, { maxKeys: 4 });
const values = fc.oneof(json, objects, fc.array(objects, { maxLength: 3 }));

/** Rebuilds a value from the values of its controls. */
function rebuilt(value: unknown, controls: readonly Control[]): unknown {
  return controls.reduce((whole, one) => (one.value === undefined ? whole : edited(whole, one.path, one.value)), value);
}

/** Returns the value with each control's part replaced by null, so that nothing of them is left. */
const emptied = (value: unknown, controls: readonly Control[]): unknown =>
  controls.reduce((whole, one) => (one.value === undefined ? whole : edited(whole, one.path, null)), value);

describe("a form and the JSON that it edits", () => {
  test("hold the same value, whatever schema and value are", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const controls = controlsOf(rootField(schema), value);
        expect(rebuilt(emptied(value, controls), controls)).toEqual(value);
        // Nothing but empty containers is outside of the controls.
        const left = JSON.stringify(emptied(value, controls)).replaceAll(/"(?:[^"\\]|\\.)*":/g, "");
        expect(left).toMatch(/^(?:null|[[\]{},])*$/);
      }),
      { numRuns: 500 },
    );
  });

  test("change at one place with each edit, and keep the order of members", () => {
    fc.assert(
      fc.property(schemas, values, fc.nat(), json, (schema, value, at, next) => {
        const controls = controlsOf(rootField(schema), value);
        const one = controls[at % Math.max(1, controls.length)];
        if (!one) return;
        const after = edited(value, one.path, next);
        expect(controlsAt(after, one.path)).toEqual(next);
        if (one.value !== undefined) {
          expect(JSON.stringify(edited(after, one.path, one.value))).toBe(JSON.stringify(value));
        } else expect(edited(after, one.path, undefined)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test("show each control with a value that it can hold", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        for (const { field, value: one } of controlsOf(rootField(schema), value)) {
          if (one === undefined || one === null || field.kind === "json") continue;
          if (field.kind === "messages") expect(Array.isArray(one)).toBe(true);
          else if (field.kind === "choice") expect(field.options).toContainEqual(one);
          else if (field.kind === "boolean") expect(typeof one).toBe("boolean");
          else expect(["string", "number"]).toContain(typeof one);
        }
      }),
    );
  });
});

const controlsAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);

test("absent, null and empty text are three values of a member", () => {
  const { field } = membersOf(rootField({ properties: { a: { type: ["string", "null"] } } }), {})[0] ?? {};
  expect(field?.nullable).toBe(true);
  expect([undefined, null, ""].map((value) => withMember({}, "a", value))).toEqual([{}, { a: null }, { a: "" }]);
  const valueOf = (whole: unknown): unknown => membersOf(rootField({ properties: { a: {} } }), whole)[0]?.value;
  expect([{}, { a: null }, { a: "" }].map(valueOf)).toEqual([undefined, null, ""]);
});

test("numbers are read as they are typed, and other text stays text", () => {
  expect(["", "  ", "1", "1.", "-2.5e3", ".5", "12a", "-", "0x10", "1e999", "Infinity"].map(readNumber)).toEqual([
    undefined,
    undefined,
    1,
    1,
    -2500,
    0.5,
    "12a",
    "-",
    "0x10",
    "1e999",
    "Infinity",
  ]);
});

test("items are moved within a list only", () => {
  expect(withMoved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(withMoved(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
  expect(withMoved(["a"], 0, 1)).toEqual(["a"]);
  expect(withMoved(["a", "b"], -1, 1)).toEqual(["a", "b"]);
});

test("what lies too deep in a recursive schema is one JSON control", () => {
  const schema = { type: "object", properties: { next: { $ref: "#" }, name: { type: "string" } } };
  let value: object = { name: "last" };
  for (let level = 0; level < 500; level++) value = { next: value };
  const controls = controlsOf(rootField(schema), value);
  expect(controls.filter((one) => one.value !== undefined)).toHaveLength(1);
  expect(controls.find((one) => one.value !== undefined)?.field.kind).toBe("json");
});

test("members may be added where the schema is open", () => {
  expect(
    [{}, { properties: {} }, { additionalProperties: false }, { properties: {}, additionalProperties: {} }].map((one) =>
      takesOthers(rootField(one)),
    ),
  ).toEqual([true, false, false, true]);
});

test("a number starts as near to zero as its limits allow", () => {
  const starts = [{}, { minimum: 2 }, { minimum: -5 }, { maximum: -3 }, { minimum: -9007199254740991 }];
  expect(starts.map((limits) => startValue(rootField({ type: "integer", ...limits })))).toEqual([0, 2, 0, -3, 0]);
});
