import fc from "fast-check";
import { expect, test } from "vitest";
import type { Source } from "../../../lib/protocol/sources.ts";
import { type IsolationFacts, refuseCode, unfencedNote } from "../../../lib/rules/workers/isolation.ts";

const foreign: Source[] = [
  { type: "git", url: "https://git.example.com/team/bot" },
  { type: "upload", upload_id: "01890a5d-ac96-774b-bcce-b302099a8057" },
];
const own: Source = { type: "folder", path: "/srv/bot" };
const NONE = { why: "bubblewrap is not installed", fix: "Install it." };
const inPlace: Source = { ...own, in_place: true };
const anySource = fc.constantFrom(...foreign, own, inPlace);
const anySettings = fc.record({
  child_processes: fc.boolean(),
  addons: fc.boolean(),
  install_scripts: fc.boolean(),
});
const anyFacts: fc.Arbitrary<IsolationFacts> = fc.record(
  {
    unfenced: fc.constant(NONE),
    allowUnfenced: fc.boolean(),
    reachable: fc.boolean(),
    keyed: fc.boolean(),
    ownUsers: fc.boolean(),
  },
  { requiredKeys: ["allowUnfenced", "reachable", "keyed", "ownUsers"] },
);

test("a folder that is served in place is never refused", () => {
  fc.assert(
    fc.property(anySettings, anyFacts, (settings, facts) => {
      expect(refuseCode({ source: inPlace, settings }, facts)).toBeUndefined();
      expect(unfencedNote(inPlace, facts)).toBeUndefined();
    }),
  );
});

test("foreign code runs without a fence on a reachable server only where the operator allows it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...foreign), anySettings, anyFacts, (source, settings, facts) => {
      const open = { ...facts, unfenced: NONE, reachable: true, allowUnfenced: false };
      expect(refuseCode({ source, settings }, open)).toEqual({
        message: expect.stringContaining(NONE.why),
        fix: expect.stringMatching(/^Install it\. GRAPHLIB_UNFENCED=allow/),
      });
    }),
  );
});

test("behind a fence, foreign code may start processes only with a key or with users of their own", () => {
  fc.assert(
    fc.property(anySource, anySettings, anyFacts, (source, settings, facts) => {
      const held = { ...facts, unfenced: undefined };
      const refused = refuseCode({ source, settings }, held);
      const starts = settings.child_processes || settings.addons;
      const isForeign = source.type !== "folder";
      expect(refused !== undefined).toBe(starts && isForeign && !facts.keyed && !facts.ownUsers);
      if (refused) expect(refused.fix).toContain("GRAPHLIB_API_KEY");
    }),
  );
});

test("refused code stays refused under weaker isolation", () => {
  const strictest: Partial<IsolationFacts> = {
    unfenced: NONE,
    keyed: false,
    ownUsers: false,
    reachable: true,
    allowUnfenced: false,
  };
  fc.assert(
    fc.property(anySource, anySettings, anyFacts, (source, settings, facts) => {
      fc.pre(refuseCode({ source, settings }, facts) !== undefined);
      for (const [name, value] of Object.entries(strictest)) {
        expect(refuseCode({ source, settings }, { ...facts, [name]: value })).toBeDefined();
      }
    }),
  );
});
