/** Starts the platform under `next dev` and `next start`. Otherwise `lib/server.ts` has already started it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startUnderNext } = await import("./lib/under-next.ts");
    await startUnderNext();
  }
}
