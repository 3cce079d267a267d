import { Client } from "@langchain/langgraph-sdk";
import { Hono } from "hono";
import { cors } from "hono/cors";

let left = 0;
let sent = 0;
const encoder = new TextEncoder();

/** Produces a chunk for each pull, without end. */
const endless = (signal) => {
  signal.addEventListener("abort", () => left++);
  return new ReadableStream({
    pull(controller) {
      sent++;
      controller.enqueue(encoder.encode(`${"x".repeat(64 * 1024 - 1)}\n`));
    },
  });
};

export const app = new Hono()
  .use(async (c, next) => {
    if (c.req.header("x-banned")) return c.text("Banned", 403);
    await next();
    c.header("x-wrapped", c.req.path);
  })
  .use("/shared/*", cors({ origin: "https://friend.test" }))
  .get("/hello", (c) => c.json({ url: c.req.url, key: c.req.header("x-api-key") ?? null }))
  .get("/shared/thing", (c) => c.text("shared"))
  .post("/upload", async (c) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    return c.body(bytes.toReversed(), 201, { "content-type": "application/octet-stream" });
  })
  .get("/cookies", (c) => {
    c.header("set-cookie", "a=1", { append: true });
    c.header("set-cookie", "b=2", { append: true });
    return c.body(null, 204);
  })
  .get("/info", (c) => c.json({ mine: true }))
  .get("/endless", (c) => c.body(endless(c.req.raw.signal)))
  .get("/counted", (c) => c.json({ left, sent }))
  .get("/fails", () => {
    throw new Error("secret of the application");
  })
  .get("/breaks", (c) =>
    c.body(
      new ReadableStream({
        pull(controller) {
          controller.error(new Error("broken"));
        },
      }),
    ),
  )
  .get("/bad-header", (c) => {
    c.header("x-bad", "\u0001");
    return c.text("never");
  })
  .get("/inward", async (c) => c.json(await new Client().runs.wait(null, "echo", { input: { word: "in" } })))
  .get("/dies", () => process.exit(3));
