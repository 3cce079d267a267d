import fc from "fast-check";
import { expect, test } from "vitest";
import { DeploymentCreate } from "../../../lib/protocol/control.ts";
import { nameProblem } from "../../../lib/protocol/names.ts";
import type { Source } from "../../../lib/protocol/sources.ts";
import { nameFrom } from "../../../lib/rules/revisions/deployment-name.ts";

const text = fc.string({ unit: "binary", maxLength: 80 });
const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({ type: fc.constant("git" as const), url: text, folder: fc.option(text, { nil: undefined }) }),
  fc.record({ type: fc.constant("folder" as const), path: text }),
  fc.record({
    type: fc.constant("upload" as const),
    upload_id: fc.uuid(),
    file_name: fc.option(text, { nil: undefined }),
  }),
);

test("the form and the API accept the same names", () => {
  const typed = fc.oneof(
    fc.string({ maxLength: 45 }),
    fc.stringMatching(/^[a-z0-9-]{1,45}$/),
    fc.constantFrom("new", "events"),
  );
  fc.assert(
    fc.property(typed, (name) => {
      expect(nameProblem(name) === undefined).toBe(DeploymentCreate.shape.name.safeParse(name).success);
    }),
  );
});

test("every source gives a valid name", () => {
  fc.assert(
    fc.property(source, (one) => {
      expect(DeploymentCreate.shape.name.safeParse(nameFrom(one)).success).toBe(true);
    }),
  );
});

test.each<[Source, string]>([
  [{ type: "git", url: "https://github.com/acme/support-bot" }, "support-bot"],
  [{ type: "git", url: "https://github.com/acme/Support_Bot.git" }, "support-bot"],
  [{ type: "git", url: "git@host:team/bot.git", folder: "apps/triage" }, "triage"],
  [{ type: "git", url: "http://host/x/bot/.git" }, "bot"],
  [{ type: "folder", path: "/home/ada/my app/" }, "my-app"],
  [{ type: "folder", path: "/" }, "app"],
  [{ type: "git", url: "https://host/new" }, "app"],
  [{ type: "upload", upload_id: "", file_name: "answers.tar.gz" }, "answers"],
])("%j gives %s", (one, name) => {
  expect(nameFrom(one)).toBe(name);
});

test("a valid name of a source stays the same", () => {
  const name = fc
    .stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/)
    .filter((one) => !/--|^new$|^events$/.test(one));
  fc.assert(
    fc.property(name, (one) => {
      for (const url of [`https://host/acme/${one}.git`, `git@host:acme/${one}`, `http://host:80/${one}/.git`]) {
        expect(nameFrom({ type: "git", url })).toBe(one);
      }
      expect(nameFrom({ type: "folder", path: `/home/ada/${one}/` })).toBe(one);
      expect(nameFrom({ type: "git", url: "https://host/x", folder: `agents/${one}` })).toBe(one);
    }),
  );
});
