/** Stores what the rooms of a server show: deployments, threads that wait or have ended, assistants, crons and items. */
import type { Seeded } from "./rooms.ts";
import { BOT, seedDeployments } from "./seed-deployments.ts";
import type { TestServer } from "./server.ts";

type Server = Pick<TestServer, "url">;

/** Threads of one question, oldest first. The one on a voucher fails. */
const THREADS = [
  { title: "Parcel not here yet", question: "Where is my parcel?", client: "chat" },
  { title: "Which plan fits a team of 12?", question: "Which plan fits a team of 12?", client: "chat" },
  { title: "Voucher is refused", question: "Why is my voucher refused?", client: "api" },
  { title: "Invoice for September", question: "Can I have the invoice for September again?", client: "api" },
  { title: "Refund of order 5498", question: "I want a refund for order 5498.", client: "chat" },
  { title: "Change of address", question: "I have moved. Can I change the address?", client: "studio" },
] as const;

const CRONS = [
  { assistant_id: "digest", schedule: "0 9 * * 1-5", timezone: "Europe/Amsterdam", input: { region: "Benelux" } },
  { assistant_id: "digest", schedule: "30 17 * * 5", timezone: "Europe/Amsterdam", input: { region: "Nordics" } },
  { assistant_id: "agent", schedule: "0 */4 * * *", input: asked("Which orders are late?") },
  { assistant_id: "agent", schedule: "15 7 1 * *", input: asked("Send the invoices"), enabled: false },
];

const ITEMS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "customers.ada": {
    profile: { name: "Ada Lovelace", since: "2021-03-04", language: "English", plan: "Team" },
    preferences: { contact: "e-mail", delivery: { days: ["Monday", "Friday"], place: "reception" } },
    "last-contact": { topic: "refund", at: "2026-11-24", satisfied: true },
  },
  "customers.lin": {
    profile: { name: "Lin Wei", since: "2024-09-18", language: "Dutch", plan: "Solo" },
    "last-contact": { topic: "invoice", at: "2026-11-20", satisfied: true },
  },
  "customers.omar": { profile: { name: "Omar Haddad", since: "2025-01-09", language: "English", plan: "Company" } },
  orders: {
    "5377": { status: "delivered", total: 129.5, customer: "lin" },
    "5498": { status: "late", total: 18, customer: "omar" },
    "5521": { status: "late", total: 42, customer: "ada" },
    "5530": { status: "packed", total: 79, customer: "ada" },
  },
  policies: {
    refunds: { text: "Orders that arrive more than 7 days late are refunded in full.", number: 3 },
    addresses: { text: "An address can be changed until the parcel has left the warehouse.", number: 5 },
  },
};

const PROMPTS = [
  "You are the support agent of a shop. Answer in one sentence.",
  "You are the support agent of a shop. Answer in one sentence, and name the policy that you follow.",
];

function asked(content: string): { messages: object[] } {
  return { messages: [{ role: "user", content }] };
}

/** Sends a request to the deployment that the rooms show. The caller states the type that docs/api gives. */
async function send<T>(server: Server, method: string, path: string, body?: object, client = "api"): Promise<T> {
  const response = await fetch(`${server.url}/agents/${BOT}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-graphlib-client": client },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  // The answers are those that docs/api describes.
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** Runs the agent on a thread until it ends, fails or waits. With a checkpoint, the run goes on from there. */
async function ask(server: Server, thread: string, question: string, client = "chat", from?: string): Promise<void> {
  const body = { assistant_id: "agent", input: asked(question), ...(from && { checkpoint_id: from }) };
  await send(server, "POST", `/threads/${thread}/runs/wait`, body, client);
}

async function begin(server: Server, title: string): Promise<string> {
  return (await send<{ thread_id: string }>(server, "POST", "/threads", { metadata: { title } })).thread_id;
}

/** Makes a thread with two branches of its second turn. The newer one waits for a person. */
async function seedFork(server: Server): Promise<string> {
  const thread = await begin(server, "Late order 5521");
  await ask(server, thread, "Where is order 5521?");
  const state = await send<{ checkpoint: { checkpoint_id: string } }>(server, "GET", `/threads/${thread}/state`);
  await ask(server, thread, "When is my next order packed?");
  await ask(server, thread, "It came nine days late. Can I get my money back?", "chat", state.checkpoint.checkpoint_id);
  return thread;
}

async function seedThreads(server: Server): Promise<string> {
  for (const { title, question, client } of THREADS) await ask(server, await begin(server, title), question, client);
  return await seedFork(server);
}

/** Returns the id of an assistant with three versions. */
async function seedAssistants(server: Server): Promise<string> {
  const made = await send<{ assistant_id: string }>(server, "POST", "/assistants", {
    graph_id: "agent",
    name: "Brief agent",
    description: "Answers in one sentence.",
    context: { system_prompt: PROMPTS[0], temperature: 0 },
  });
  const path = `/assistants/${made.assistant_id}`;
  await send(server, "PATCH", path, { context: { system_prompt: PROMPTS[1], temperature: 0 } });
  await send(server, "PATCH", path, { context: { system_prompt: PROMPTS[1], temperature: 0.4, model: "large" } });
  await send(server, "POST", "/assistants", {
    graph_id: "agent",
    name: "Formal agent",
    context: { sign_as: "Example Shop, customer service" },
  });
  return made.assistant_id;
}

async function seedItems(server: Server): Promise<void> {
  for (const [namespace, items] of Object.entries(ITEMS))
    for (const [key, value] of Object.entries(items))
      await send(server, "PUT", "/store/items", { namespace: namespace.split("."), key, value });
}

/** Returns the id of a cron that has run twice. */
async function seedCrons(server: Server): Promise<string> {
  const crons: string[] = [];
  for (const cron of CRONS) {
    const kept = { ...cron, on_run_completed: "keep" };
    crons.push((await send<{ cron_id: string }>(server, "POST", "/runs/crons", kept)).cron_id);
  }
  const [first = ""] = crons;
  for (const day of ["Wednesday", "Thursday"]) {
    const { thread_id } = await send<{ thread_id: string }>(server, "POST", `/runs/crons/${first}/run`);
    await send(server, "PATCH", `/threads/${thread_id}`, { metadata: { title: `Digest of ${day}` } });
  }
  return first;
}

export async function seedRooms(server: Server): Promise<Seeded> {
  await seedDeployments(server);
  await seedItems(server);
  const assistant = await seedAssistants(server);
  const cron = await seedCrons(server);
  const thread = await seedThreads(server);
  // The newest run that has ended: it has steps, and all of them are done.
  const runs = await send<{ run_id: string; status: string }[]>(server, "GET", `/threads/${thread}/runs?limit=10`);
  const run = runs.find(({ status }) => status === "success")?.run_id ?? "";
  return { thread, run, assistant, cron };
}
