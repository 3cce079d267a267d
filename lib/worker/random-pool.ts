/** Enough for 256 ids. */
const POOL_BYTES = 4_096;

/**
 * Lets `crypto.getRandomValues` take small amounts from a pool of random bytes. LangChain draws 16 bytes for every id, and
 * each draw from the system costs more than all of its other work on an id. No byte is given out twice, or kept after that.
 */
export function poolRandomValues(): void {
  const prototype = Object.getPrototypeOf(crypto) as Crypto;
  const draw = prototype.getRandomValues;
  const pool = new Uint8Array(POOL_BYTES);
  let next = POOL_BYTES;
  const fromPool = (array: Uint8Array): void => {
    if (next + array.byteLength > POOL_BYTES) {
      Reflect.apply(draw, crypto, [pool]);
      next = 0;
    }
    const end = next + array.byteLength;
    array.set(pool.subarray(next, end));
    pool.fill(0, next, end);
    next = end;
  };
  prototype.getRandomValues = function getRandomValues<T extends ArrayBufferView>(this: Crypto, array: T): T {
    const isSmall = this === crypto && array instanceof Uint8Array && array.byteLength <= POOL_BYTES / 16;
    if (!isSmall) return Reflect.apply(draw, this, [array]) as T;
    fromPool(array);
    return array;
  };
}
