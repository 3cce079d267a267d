/** Resolves when `promise` does, or on abort. */
export async function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return await promise;
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", abort);
}
