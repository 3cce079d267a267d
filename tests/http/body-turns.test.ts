import { expect, test } from "vitest";
import { createBodyBudget } from "../../lib/http/body-budget.ts";

test("a large body that has its turn does not wait for another, and the next one follows at its end", async () => {
  const bodies = createBodyBudget(1_000_000);
  const [first, second] = [bodies.open(), bodies.open()];
  const order: string[] = [];
  await first.turn();
  await first.turn();
  const next = second.turn().then(() => order.push("second"));
  order.push("first");
  first.endTurn();
  await next;
  const again = first.turn().then(() => order.push("first again"));
  order.push("second ends");
  second.close();
  await again;
  first.close();
  expect(order).toEqual(["first", "second", "second ends", "first again"]);
});
