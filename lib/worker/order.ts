import { stdin } from "node:process";
import { text } from "node:stream/consumers";

/**
 * Reads the order of a process from its standard input, which is JSON that a driver wrote. It is read as a stream, because a
 * pipe from Node never blocks: `readFileSync` throws `EAGAIN` when it is faster than the writer.
 */
export async function readOrder<Order>(): Promise<Order> {
  return JSON.parse(await text(stdin)) as Order;
}
