/**
 * Takes pictures of the console's pages into docs/screens: `npm run screens`, or `npm run screens -- list chat` for some.
 * A production server with the sample and the applications of the browser tests is filled over its API. Chromium
 * writes WebP itself.
 */
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BROWSER_ARGS, ensureBrowser } from "../support/browser.ts";
import { type Room, ROOMS, type Seeded } from "../support/rooms.ts";
import { seedRooms } from "../support/seed-rooms.ts";
import { startServer } from "../support/server.ts";

const FOLDER = join(import.meta.dirname, "../../docs/screens");
/** The origin that pages show and are opened at. The browser is told that the test server is there. */
const ORIGIN = "http://localhost:2024";
const QUALITY = 72;
const LOADED_MS = 30_000;
const STILL_MS = 400;
const MOST_WAIT_MS = 4000;
const THEMES = [
  { colorScheme: "light", suffix: "" },
  { colorScheme: "dark", suffix: "-dark" },
] as const;
const DEVICES = [
  { viewport: { width: 1440, height: 900 }, isMobile: false, suffix: "" },
  { viewport: { width: 390, height: 844 }, isMobile: true, suffix: "-phone" },
];

/** Waits until the page has not changed for a while. Its event streams stay open, so the network is never idle. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    async ({ still, most }) => {
      await document.fonts.ready;
      await new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, still);
        setTimeout(resolve, most);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, still);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      });
    },
    { still: STILL_MS, most: MOST_WAIT_MS },
  );
}

/** Returns the bytes of a WebP file; undefined if the server has no such page. */
async function picture(page: Page, room: Room, url: string): Promise<Buffer | undefined> {
  const response = await page.goto(url);
  if (response?.status() === 404) return undefined;
  await page.locator(room.ready).first().waitFor();
  await page.getByText("Platform healthy").first().waitFor({ state: "attached" });
  await expect(page.locator("output", { hasText: /^Loading / })).toHaveCount(0, { timeout: LOADED_MS });
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await session.detach();
  return Buffer.from(data, "base64");
}

async function takeAll(browser: Browser, rooms: readonly Room[], seeded: Seeded): Promise<void> {
  for (const { colorScheme, suffix: theme } of THEMES)
    for (const { suffix: device, isMobile, viewport } of DEVICES) {
      const options = { colorScheme, viewport, isMobile, hasTouch: isMobile, reducedMotion: "reduce" } as const;
      const context = await browser.newContext(options);
      for (const room of rooms) {
        const name = `${room.name}${device}${theme}.webp`;
        const page = await context.newPage();
        const bytes = await picture(page, room, ORIGIN + room.path(seeded));
        await page.close();
        if (bytes) await writeFile(join(FOLDER, name), bytes);
        const size = bytes ? `${(bytes.length / 1000).toFixed(0)} kB` : "no such page";
        process.stdout.write(`${name.padEnd(32)} ${size}\n`);
      }
      await context.close();
    }
}

async function folderKilobytes(): Promise<number> {
  const files = await readdir(FOLDER);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(FOLDER, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !ROOMS.some((room) => room.name === name));
if (unknown.length > 0) throw new Error(`No room is called ${unknown.join(", ")}.`);
const executablePath = await ensureBrowser();
if (executablePath === undefined) throw new Error("There is no browser to take pictures with.");
await mkdir(FOLDER, { recursive: true });
// Pictures of pages that are gone, or have another name.
const old = (await readdir(FOLDER)).filter((file) => wanted.length === 0 && file.endsWith(".webp"));
for (const file of old) await rm(join(FOLDER, file));
const server = await startServer({ env: { PUBLIC_URL: ORIGIN } });
const browser = await chromium.launch({
  executablePath,
  args: [...BROWSER_ARGS, `--host-resolver-rules=MAP ${new URL(ORIGIN).host} ${new URL(server.url).host}`],
});
try {
  const rooms = ROOMS.filter((room) => wanted.length === 0 || wanted.includes(room.name));
  await takeAll(browser, rooms, await seedRooms(server));
} finally {
  await browser.close();
  await server.stop();
}
process.stdout.write(`docs/screens: ${(await folderKilobytes()).toFixed(0)} kB\n`);
