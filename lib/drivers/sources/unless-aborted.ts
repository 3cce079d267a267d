/** As the promise, or with the signal's reason as soon as that is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}
