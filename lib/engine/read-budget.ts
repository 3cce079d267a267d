import { Fault } from "../protocol/faults.ts";
import { JsonWeight } from "../protocol/json-weight.ts";
import { LONGEST_LINE } from "../protocol/worker-lines.ts";
import type { ReadBudget, StoreItems } from "./ports/store.ts";

/** The cost of an item besides its value, and of an object besides its text, in characters. */
const ITEM = 100;
const OBJECT = 32;
/** The limit of all answers of one store that are made at the same time, in characters. */
const ALL = 8 * LONGEST_LINE;

/** The present size of these answers, by store. */
const held = new WeakMap<StoreItems, number>();

/**
 * Limits what `read` reads for one answer to the size of a line from a worker; `given` is the budget of an answer that
 * this is a part of. Faults: `too_large` when it is more, alone or together with the other answers under way.
 */
export async function withReadBudget<R>(
  items: StoreItems,
  given: ReadBudget | undefined,
  read: (budget: ReadBudget) => Promise<R>,
): Promise<R> {
  if (given) return await read(given);
  const weight = new JsonWeight();
  let count = 0;
  let own = 0;
  const hold = (more: number): number => {
    const all = (held.get(items) ?? 0) + more;
    held.set(items, all);
    return all;
  };
  try {
    return await read({
      take(text) {
        count++;
        weight.add(text);
        const now = weight.chars + count * ITEM + weight.objects * OBJECT;
        const all = hold(now - own);
        own = now;
        if (weight.chars + count * ITEM > LONGEST_LINE || weight.isHeavy)
          throw tooLarge("together: ask for fewer at a time");
        if (all > ALL) throw tooLarge("each: ask for them one after the other");
      },
    });
  } finally {
    hold(-own);
  }
}

function tooLarge(how: string): Fault {
  return new Fault("too_large", `The requested items are larger than ${LONGEST_LINE / 1024 / 1024} MB ${how}`);
}
