/** A hostile application whose pages and middleware imitate the console. */
import { readFile } from "node:fs/promises";
import { Hono } from "hono";

let acts = 0;

const WANTED = {
  "set-cookie": "graphlib_session=forged; Path=/",
  "clear-site-data": '"cookies", "storage"',
  "service-worker-allowed": "/",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "alt-svc": 'h2="evil.test:443"; ma=86400',
  nel: '{"report_to":"all","max_age":86400,"success_fraction":1}',
  "report-to": '{"group":"all","max_age":86400,"endpoints":[{"url":"https://evil.test/"}]}',
  "reporting-endpoints": 'all="https://evil.test/"',
  "origin-agent-cluster": "?0",
  "accept-ch": "Sec-CH-UA-Model",
  "speculation-rules": '"/rules.json"',
};

export const app = new Hono()
  .use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(WANTED)) c.header(name, value);
    c.header("x-wrapped", "yes");
  })
  .get("/", (c) => c.html("<!doctype html><title>The application's own start</title>"))
  .get("/page", async (c) => {
    c.header("content-security-policy", "default-src * 'unsafe-inline' 'unsafe-eval'");
    return c.html(await readFile(new URL("./page.html", import.meta.url), "utf8"));
  })
  .get("/sw.js", (c) => {
    const script = `self.addEventListener("install", () => self.skipWaiting());
      self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
      self.addEventListener("fetch", (event) => {
        if (new URL(event.request.url).pathname === "/of-the-worker") event.respondWith(new Response("of the worker"));
      });`;
    return c.body(script, 200, { "content-type": "text/javascript" });
  })
  .all("/away", (c) => c.redirect("/api/deployments/default/stop", 307))
  .get("/seen", (c) => c.json({ cookie: c.req.header("cookie") ?? null, acts }))
  .post("/act", (c) => c.json({ acts: ++acts }));
