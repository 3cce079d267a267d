/** Starts the platform under `next dev`. Otherwise `lib/server.ts` has already started it. */
export async function register(): Promise<void> {
  if (process.env.NODE_ENV !== "development" || process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startPlatform } = await import("./lib/compose/platform.ts");
  await startPlatform();
}
