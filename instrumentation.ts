/** In production `lib/server.ts` has started the platform by now; `next dev` has no other way to start it. */
export async function register(): Promise<void> {
  if (process.env.NODE_ENV !== "development" || process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startPlatform } = await import("./lib/compose/platform.ts");
  await startPlatform();
}
