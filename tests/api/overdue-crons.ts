import Sqlite from "better-sqlite3";

/** Returns the id of a cron, which the official client's type does not have. */
export const idOf = (cron: object): string => ("cron_id" in cron ? String(cron.cron_id) : "");

/** Makes crons overdue, as if the server with this home had been down since the epoch. The server must not run. */
export function makeOverdue(home: string, crons: readonly string[]): void {
  const database = new Sqlite(`${home}/deployments/default/database.sqlite`);
  const late = database.prepare("update crons set next_run = 60000 where cron_id = ?");
  for (const cron of crons) late.run(cron);
  database.close();
}

export async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((later) => setTimeout(later, 50));
  }
}
