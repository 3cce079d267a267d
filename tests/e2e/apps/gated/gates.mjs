import { Hono } from "hono";

/** The number of letters that each thread may output. The graphs run in the same process as these routes. */
const gates = new Map();

function gateOf(thread) {
  if (!gates.has(thread)) gates.set(thread, { open: 0, wake: new Set() });
  return gates.get(thread);
}

/** Resolves when `thread` may output its letter number `count`; rejects when the run is cancelled. */
export async function allowed(thread, count, signal) {
  const gate = gateOf(thread);
  while (gate.open < count) {
    signal?.throwIfAborted();
    await new Promise((resolve) => {
      gate.wake.add(resolve);
      signal?.addEventListener("abort", resolve, { once: true });
    });
  }
}

export const app = new Hono().post("/gates/:thread/:open", (c) => {
  const gate = gateOf(c.req.param("thread"));
  gate.open = Number(c.req.param("open"));
  for (const wake of gate.wake) wake();
  gate.wake.clear();
  return c.body(null, 204);
});
