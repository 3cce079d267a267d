import { Hono } from "hono";

let visits = 0;

/** Keeps state in memory, as sessions do. */
export const app = new Hono().get("/visits", (c) => c.json({ pid: process.pid, visits: ++visits }));
