/** Compares the pages of docs/api with the code: everything that exists is documented, and nothing else is. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { faultResponse } from "../../lib/http/faults.ts";
import { type A2aReason, a2aError, methods, TASK_STATES } from "../../lib/protocol/a2a.ts";
import { AppConfig } from "../../lib/protocol/config.ts";
import { SettingsPatch } from "../../lib/protocol/control.ts";
import { Fault, type FaultCode } from "../../lib/protocol/faults.ts";
import { isObject } from "../../lib/protocol/json.ts";
import { operations } from "../../lib/protocol/operations.ts";
import { controlOperations } from "../../lib/protocol/operations/control.ts";
import { RevisionState } from "../../lib/protocol/revisions.ts";
import { MultitaskStrategy, RunStatus } from "../../lib/protocol/runs.ts";
import { filterOperators } from "../../lib/protocol/store.ts";
import { StreamMode } from "../../lib/protocol/stream.ts";
import { CHANNELS, type CommandError, ThreadStreamMode } from "../../lib/protocol/thread-stream.ts";
import { ThreadStatus } from "../../lib/protocol/threads.ts";

const FOLDER = join(import.meta.dirname, "../../docs/api");
const pages = new Map(
  globSync("*.md", { cwd: FOLDER }).map((page) => [page, readFileSync(join(FOLDER, page), "utf8")]),
);

function textOf(page: string): string {
  return pages.get(page) ?? "";
}

/** Returns the terms that a page has in backticks. */
function termsOf(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/`([^`\n]+)`/g), ([, term = ""]) => term));
}

const CALL = /^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/;
const callsOf = (text: string): string[] => [...termsOf(text)].filter((term) => CALL.test(term));

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
}

const braced = ({ method, path }: Call): string => `${method} ${path.replaceAll("[", "{").replaceAll("]", "}")}`;
const calls = new Map<string, Call>([
  ...Object.values<Call>(operations).map((call): [string, Call] => [braced(call), call]),
  ...Object.values<Call>(controlOperations).map((call): [string, Call] => [
    braced({ ...call, path: `/api${call.path}` }),
    call,
  ]),
]);

const Described = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

/** Returns the names of the members that a schema takes. For a union, those of all its schemas. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { items } = described;
  return Object.keys(
    Described.parse(typeof items === "object" && !Array.isArray(items) ? items : described).properties ?? {},
  );
}

/** Returns the names of members at any depth. A name that is also spelled in snake_case is listed only so. */
function membersBelow(schema: unknown): string[] {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (!isObject(value)) return;
    for (const name of Object.keys(isObject(value.properties) ? value.properties : {})) names.add(name);
    for (const one of Object.values(value)) for (const inner of [one].flat()) collect(inner);
  };
  collect(schema);
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...names].filter((name) => snake(name) === name || !names.has(snake(name)));
}

/** Returns the first two cells of the table rows whose first cell is in backticks. */
function rowsOf(text: string): [string, string][] {
  return Array.from(text.matchAll(/^\| `([^`|]+)` \| ([^|]+) \|/gm), ([, term = "", value = ""]) => [term, value]);
}

describe("every operation", () => {
  it.each([...calls.keys()])("%s is documented", (call) => {
    expect([...pages].filter(([, text]) => termsOf(text).has(call)).map(([page]) => page)).not.toEqual([]);
  });

  it.each([...calls])("%s has its fields named on a page that documents it", (call, { body, query }) => {
    const fields = [...fieldsOf(body), ...fieldsOf(query)];
    const lacks = [...pages.values()]
      .filter((text) => termsOf(text).has(call))
      .map((text) => fields.filter((field) => !termsOf(text).has(field)));
    expect(lacks).toContainEqual([]);
  });

  it("reads the fields of lists, of unions' members and behind transformations", () => {
    expect(fieldsOf(operations.createRuns.body)).toContain("multitask_strategy");
    expect(fieldsOf(operations.createCron.body)).toContain("schedule");
  });
});

describe.each([...pages])("%s", (_page, text) => {
  it("names no operation that does not exist", () => {
    expect(callsOf(text).filter((call) => !calls.has(call))).toEqual([]);
  });
});

describe("numbers", () => {
  // These are records, so that the compiler reports a code that is missing.
  const FAULTS: Record<FaultCode, true> = {
    malformed: true,
    invalid: true,
    unauthorized: true,
    forbidden: true,
    not_found: true,
    method_not_allowed: true,
    conflict: true,
    too_large: true,
    unsupported_type: true,
    too_many: true,
    unavailable: true,
    internal: true,
  };
  const A2A: Record<A2aReason, true> = {
    TASK_NOT_FOUND: true,
    TASK_NOT_CANCELABLE: true,
    PUSH_NOTIFICATION_NOT_SUPPORTED: true,
    UNSUPPORTED_OPERATION: true,
    CONTENT_TYPE_NOT_SUPPORTED: true,
    EXTENDED_AGENT_CARD_NOT_CONFIGURED: true,
    VERSION_NOT_SUPPORTED: true,
  };

  it("of faults are their HTTP status", () => {
    const known = namesOf(FAULTS).map((code) => [code, String(faultResponse(new Fault(code, ""), "").status)]);
    const documented = rowsOf(textOf("README.md")).filter(([, status]) => /^\d{3}$/.test(status));
    expect(documented.toSorted()).toEqual(known.toSorted());
  });

  it("of A2A's errors are their JSON-RPC code", () => {
    const known = namesOf(A2A).map((reason) => [reason, String(a2aError(reason).code)]);
    const documented = rowsOf(textOf("a2a.md")).filter(([, code]) => /^-32\d{3}$/.test(code));
    expect(documented.toSorted()).toEqual(known.toSorted());
  });
});

/** Casts the keys of a record: its type has all members of the key type and no others. */
function namesOf<Name extends string>(record: Record<Name, true>): Name[] {
  return Object.keys(record) as Name[];
}

describe("names", () => {
  const COMMAND_ERRORS: Record<CommandError, true> = {
    invalid_argument: true,
    unknown_command: true,
    unknown_error: true,
    no_such_run: true,
    no_such_subscription: true,
    no_such_namespace: true,
    no_such_interrupt: true,
    no_such_checkpoint: true,
    permission_denied: true,
    not_supported: true,
  };
  const tableOf = (page: string, heading: string): string[] => {
    const [, below = ""] = textOf(page).split(`| ${heading} |`);
    const table = below.split("\n\n")[0] ?? "";
    return rowsOf(table).map(([term]) => term);
  };

  it.each([
    ["runs.md", "mode", StreamMode.options],
    ["runs.md", "strategy", MultitaskStrategy.options],
    ["thread-streams.md", "channel", CHANNELS],
    ["thread-streams.md", "error", namesOf(COMMAND_ERRORS)],
    ["a2a.md", "state", TASK_STATES],
  ] as const)("in the table of %s by %s are those of the code", (page, heading, known) => {
    expect(tableOf(page, heading).toSorted()).toEqual([...known].toSorted());
  });

  it("of A2A's methods are those of the code, both generations of a verb in one row", () => {
    const rows = Array.from(textOf("a2a.md").matchAll(/^\| `(\w+)` \| `([\w/]+)` \|/gm), ([, v1 = "", v03 = ""]) => [
      v1,
      v03,
    ]);
    expect(rows.flat().toSorted()).toEqual([...methods.keys()].toSorted());
    expect(rows.filter(([v1 = "", v03 = ""]) => methods.get(v1)?.verb !== methods.get(v03)?.verb)).toEqual([]);
  });

  it.each([
    ["runs.md", RunStatus.options],
    ["runs.md", ThreadStatus.options],
    ["store.md", filterOperators],
    ["thread-streams.md", ThreadStreamMode.options],
    ["control-plane.md", RevisionState.options],
    ["control-plane.md", Object.keys(SettingsPatch.shape)],
    ["configuration.md", membersBelow(z.toJSONSchema(AppConfig, { io: "input" }))],
  ] as const)("that the code knows are on %s: %j", (page, known) => {
    const terms = termsOf(textOf(page));
    expect([...known].filter((name) => !terms.has(name))).toEqual([]);
  });
});
