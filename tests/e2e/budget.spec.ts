import { expect } from "@playwright/test";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { ROOMS, type Seeded } from "../support/rooms.ts";
import { seedRooms } from "../support/seed-rooms.ts";
import { open, test, withServer } from "./fixtures.ts";

/** The most JavaScript of a page's first load, in kB (1,000 bytes) as the server sends it, gzipped. */
const MOST_KILOBYTES = 180;

const server = withServer(() => ({}));
let seeded: Seeded;
test.beforeAll(async () => {
  seeded = await seedRooms(server());
});

for (const room of ROOMS) {
  const most = room.mostKilobytes ?? MOST_KILOBYTES;

  test(`${room.name} loads at most ${most} kB of JavaScript first`, async ({ page }) => {
    await open(page, server().url + room.path(seeded));
    await expect(page.locator(room.ready).first()).toBeVisible();
    // The scripts that the page names. They load others when they are needed. Today's browsers skip those of old ones.
    const html = await (await fetch(page.url())).text();
    const tags = Array.from(html.matchAll(/<script[^>]+src="([^"]+)"[^>]*>/g));
    const scripts = new Set(tags.flatMap(([tag, path = ""]) => (/\snomodule/i.test(tag) ? [] : [path])));
    expect(scripts.size).toBeGreaterThan(0);
    let bytes = 0;
    for (const path of scripts) {
      bytes += await bytesSent(new URL(path, server().url));
    }
    test.info().annotations.push({ type: "kilobytes", description: String(Math.round(bytes / 1000)) });
    expect(bytes / 1000).toBeLessThanOrEqual(most);
  });
}

/** Returns the size of a body as it was sent. `fetch` tells only the size of what was in it. */
async function bytesSent(url: URL): Promise<number> {
  const [response] = (await once(get(url, { headers: { "accept-encoding": "gzip" } }), "response")) as [
    IncomingMessage,
  ];
  expect(response.statusCode).toBe(200);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
  expect(response.headers["content-encoding"]).toBe("gzip");
  return bytes;
}
