/** Settles as the promise does, or rejects with the signal's reason as soon as that aborts. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return await Promise.race([aborted, promise]).finally(() => signal.removeEventListener("abort", onAbort));
}
