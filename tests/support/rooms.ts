/** Ids of what was stored for the rooms. */
export interface Seeded {
  readonly thread: string;
  readonly run: string;
  readonly assistant: string;
  readonly cron: string;
}

/** A page of the console, for tests and pictures of all pages. */
export interface Room {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: (seeded: Seeded) => string;
  /** A selector of what is there once the room is complete. */
  readonly ready: string;
  /** The most JavaScript that its first load may take, in kB (1,000 bytes) gzipped; 180 if absent. */
  readonly mostKilobytes?: number;
}

const BOT = "/deployments/support-bot";

export const ROOMS: readonly Room[] = [
  { name: "list", path: () => "/", ready: "table tbody tr" },
  { name: "new-deployment", path: () => "/deployments/new", ready: "main input" },
  { name: "progress", path: () => `${BOT}/revisions/1`, ready: "main ol li" },
  { name: "overview", path: () => BOT, ready: ".react-flow__node" },
  {
    name: "studio",
    path: ({ thread }) => `${BOT}/studio/agent?thread=${thread}`,
    ready: "[data-node]",
    mostKilobytes: 300,
  },
  { name: "chat", path: ({ thread }) => `${BOT}/chat?thread=${thread}`, ready: "article .markdown" },
  { name: "threads", path: () => `${BOT}/threads`, ready: "main [role=row], main tr" },
  {
    name: "inbox",
    path: ({ thread }) => `${BOT}/threads?view=inbox&open=${thread}`,
    ready: "main [role=row], main tr",
  },
  { name: "thread", path: ({ thread }) => `${BOT}/threads/${thread}`, ready: "main h1" },
  { name: "runs", path: () => `${BOT}/runs`, ready: "main [role=row], main tr" },
  { name: "run", path: ({ run }) => `${BOT}/runs/${run}`, ready: "main h1" },
  { name: "crons", path: ({ cron }) => `${BOT}/crons?open=${cron}`, ready: "main [role=row], main tr" },
  {
    name: "assistants",
    path: ({ assistant }) => `${BOT}/assistants?assistant=${assistant}&tab=versions`,
    ready: "main h1, main h2",
  },
  { name: "store", path: () => `${BOT}/store?namespace=customers.ada&key=preferences`, ready: "main h1, main h2" },
  { name: "a2a", path: () => `${BOT}/a2a?assistant=agent`, ready: "[role=tabpanel] h2" },
  { name: "logs", path: () => `${BOT}/logs`, ready: "text=graphs loaded" },
  { name: "revisions", path: () => `${BOT}/revisions`, ready: "table tbody tr" },
  { name: "settings", path: () => `${BOT}/settings`, ready: "main form, main input" },
];
