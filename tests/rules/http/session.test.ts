import fc from "fast-check";
import { expect, test } from "vitest";
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from "../../../lib/protocol/session.ts";
import {
  countsForPage,
  IDLE_MS,
  isAlive,
  LONGEST_MS,
  expiryLimits,
  sessionIds,
  withoutSessions,
} from "../../../lib/rules/http/session.ts";

const id = fc.stringMatching(/^[\w-]{43}$/);
const time = fc.integer({ min: 0, max: 2 ** 42 });
const others = fc.array(
  fc.tuple(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fc.stringMatching(/^[\w.=-]{0,50}$/)).map((pair) => pair.join("=")),
);

test("a session expires after 12 idle hours, and after 7 days at most", () => {
  expect([IDLE_MS, LONGEST_MS]).toEqual([12 * 3600 * 1000, 7 * 24 * 3600 * 1000]);
  fc.assert(
    fc.property(time, fc.nat(LONGEST_MS * 2), fc.nat(LONGEST_MS * 2), (created_at, use, age) => {
      const last_used = created_at + Math.min(use, age);
      const now = created_at + age;
      const alive = isAlive({ created_at, last_used }, now);
      expect(alive).toBe(age < LONGEST_MS && now - last_used < IDLE_MS);
      // Every session that is swept has expired.
      const { createdBefore, usedBefore } = expiryLimits(now);
      if (created_at < createdBefore || last_used < usedBefore) expect(alive).toBe(false);
    }),
  );
});

test("the session's cookie is found among any others", () => {
  fc.assert(
    fc.property(id, fc.array(id, { maxLength: 20 }), others, fc.nat(), (real, tossed, rest, at) => {
      const cookies = [...tossed.map((value) => `${SESSION_COOKIE}=${value}`), ...rest];
      cookies.splice(at % (cookies.length + 1), 0, `${SESSION_COOKIE}=${real}`);
      expect(sessionIds(cookies.join("; "), false)).toContain(real);
      expect(sessionIds(cookies.join("; "), true)).toEqual([]);
      const secure = [...cookies, `${SECURE_SESSION_COOKIE}=${real}`].join("; ");
      expect(sessionIds(secure, true)).toEqual([real]);
    }),
  );
});

test("at most 64 ids are read from a header, each once and each well-formed", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(id).map((ids) => ids.map((one) => `${SESSION_COOKIE}=${one}`).join(";")),
      ),
      (header) => {
        const found = sessionIds(header, false);
        expect(found.length).toBeLessThanOrEqual(64);
        expect(new Set(found).size).toBe(found.length);
        for (const one of found) expect(one).toMatch(/^[\w-]{43}$/);
      },
    ),
  );
  expect(sessionIds(null, true)).toEqual([]);
});

test("an application receives all cookies but those of sessions", () => {
  fc.assert(
    fc.property(
      others,
      fc.array(fc.tuple(fc.constantFrom(SESSION_COOKIE, SECURE_SESSION_COOKIE), id)),
      (rest, ours) => {
        const mixed = [...rest, ...ours.map(([name, value]) => `${name} =${value}`)];
        expect(withoutSessions(mixed.join(";"))).toBe(rest.join("; "));
      },
    ),
  );
  expect(withoutSessions(`a=1; ${SESSION_COOKIE}; b`)).toBe(`a=1; ${SESSION_COOKIE}; b`);
});

test("a request from a page of another origin, also of the same site, does not count as signed in", () => {
  expect(["same-site", "cross-site", "", "SAME-ORIGIN"].filter(countsForPage)).toEqual([]);
  expect([null, "same-origin", "none"].every(countsForPage)).toBe(true);
});
