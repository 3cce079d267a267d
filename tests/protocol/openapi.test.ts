import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { isObject } from "../../lib/protocol/json.ts";
import { describeControl } from "../../lib/protocol/openapi.ts";
import { controlOperations, type ControlOperation } from "../../lib/protocol/operations/control.ts";

const document = describeControl({ version: "1.2.3", url: "https://agents.example.com" });

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("every operation is in the document once, with its request body", () => {
  const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
  );
  const rows = Object.entries<ControlOperation>(controlOperations);
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries(
      rows.map(([name, { method, path }]) => [name, `${method} ${path.replace(/\[(\w+)\]/g, "{$1}")}`]),
    ),
  );
  for (const [, { method, path, body, archive, signed, answer, result }] of rows) {
    const described = paths[path.replace(/\[(\w+)\]/g, "{$1}")]?.[method.toLowerCase()];
    expect(described?.requestBody !== undefined).toBe(body !== undefined || archive === true || signed === true);
    expect(result !== undefined).toBe(answer === undefined || answer === "lines");
  }
});

test("every reference has a target", () => {
  const lost: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    if (typeof value.$ref === "string") {
      let at: unknown = document;
      for (const part of value.$ref.slice(2).split("/")) at = isObject(at) ? at[part] : undefined;
      if (at === undefined) lost.push(value.$ref);
    }
    Object.values(value).forEach(visit);
  };
  visit(document);
  expect(lost).toEqual([]);
});
