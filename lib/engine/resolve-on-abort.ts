/** Resolves when `promise` does, or on abort. */
export async function resolveOnAbort(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return void (await promise);
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", abort);
}
