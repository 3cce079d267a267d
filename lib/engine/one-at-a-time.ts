/** Returns a function that does the work, never twice at a time: calls meanwhile cause it to be done once more. */
export function oneAtATime(work: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let underway = false;
  let again = false;
  const run = async (): Promise<void> => {
    underway = true;
    do {
      again = false;
      await work().catch(failed);
    } while (again);
    underway = false;
  };
  return () => {
    again = true;
    if (!underway) void run();
  };
}
