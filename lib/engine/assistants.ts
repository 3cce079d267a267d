import type {
  Assistant,
  AssistantChange,
  AssistantCreate,
  AssistantFilter,
  AssistantPatch,
  AssistantSearch,
  AssistantVersion,
  GraphDrawing,
  GraphSchemas,
  Subgraphs,
  VersionSearch,
} from "../protocol/assistants.ts";
import type { AppConfig } from "../protocol/config.ts";
import { Fault } from "../protocol/faults.ts";
import { ThreadSearch } from "../protocol/threads.ts";
import type { AssistantSeeds } from "../rules/assistants/seeds.ts";
import { assistantIdOf, isUuid } from "../rules/uuid.ts";
import { applyPatch } from "../rules/assistants/patch.ts";
import { type SearchPage, searchPage, selectFields } from "../rules/search-page.ts";
import { isVisible, type Visibility } from "../rules/visibility.ts";
import { untilEnded } from "./follow.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { cancelRun } from "./runs/cancel.ts";
import { pruneThreads } from "./threads/threads.ts";
import { isoTime } from "../protocol/iso-time.ts";

/**
 * Creates the system assistant of every graph that has none yet, with its seed. It runs before the code is served, so
 * that no request misses one.
 */
export async function ensureSystemAssistants(
  platform: Platform,
  { assistants }: Pick<Deployment, "assistants">,
  { graphs }: AppConfig,
  seeds: AssistantSeeds = {},
): Promise<void> {
  const now = isoTime(platform.clock.now());
  for (const [graphId, { description }] of Object.entries(graphs)) {
    await assistants.ensure({
      assistant_id: assistantIdOf(graphId, platform.sha1),
      graph_id: graphId,
      name: graphId,
      description: description ?? null,
      config: seeds[graphId]?.config ?? {},
      context: seeds[graphId]?.context ?? {},
      metadata: { created_by: "system" },
      version: 1,
      created_at: now,
      updated_at: now,
    });
  }
}

/**
 * Returns an assistant by its id or by the name of its graph, which the application must still have. Faults:
 * `not_found`, with the text that clients match.
 */
export async function findAssistant(platform: Platform, deployment: Deployment, idOrName: string): Promise<Assistant> {
  const assistant = await stored(deployment, idOrName);
  if (assistant && hasGraph(deployment, assistant.graph_id)) return assistant;
  throw new Fault(
    "not_found",
    `No assistant found for "${idOrName}". Make sure the assistant ID is for a valid assistant or a valid graph ID.`,
  );
}

/**
 * Returns an assistant by its id or by the name of its graph, which the application may have dropped. Faults:
 * `not_found`, also for what is not visible.
 */
export async function getAssistant(deployment: Deployment, idOrName: string, visible?: Visibility): Promise<Assistant> {
  const assistant = await stored(deployment, idOrName);
  return assistant && isVisible(visible, assistant.metadata) ? assistant : unknown();
}

async function stored(deployment: Deployment, idOrName: string): Promise<Assistant | undefined> {
  const id = idOf(deployment, idOrName);
  return id === undefined ? undefined : await deployment.assistants.get(id);
}

function idOf(deployment: Deployment, idOrName: string): string | undefined {
  const id = deployment.systemAssistants.get(idOrName) ?? idOrName.toLowerCase();
  return isUuid(id) ? id : undefined;
}

function hasGraph(deployment: Deployment, graph: string): boolean {
  return Object.hasOwn(deployment.config?.graphs ?? {}, graph);
}

function unknown(what = "Assistant"): never {
  throw new Fault("not_found", `${what} not found`);
}

/**
 * Creates an assistant. Faults: `not_found` for an unknown graph, `conflict` for a taken id with `if_exists: "raise"`.
 */
export async function createAssistant(
  platform: Platform,
  deployment: Deployment,
  { assistant_id = platform.newId(), if_exists, ...fields }: AssistantCreate,
  visible?: Visibility,
): Promise<Assistant> {
  requireGraph(deployment, fields.graph_id);
  const now = isoTime(platform.clock.now());
  const assistant = { assistant_id, ...fields, version: 1, created_at: now, updated_at: now };
  if (await deployment.assistants.ensure(assistant)) return assistant;
  const existing = if_exists === "raise" ? undefined : await deployment.assistants.get(assistant_id);
  if (existing && isVisible(visible, existing.metadata)) return existing;
  throw new Fault("conflict", "Assistant already exists");
}

/**
 * Makes a new version. Faults: `not_found`, also for an unknown graph; `invalid` for a system assistant that gets
 * another graph.
 */
export async function updateAssistant(
  platform: Platform,
  deployment: Deployment,
  idOrName: string,
  patch: AssistantPatch,
): Promise<Assistant> {
  const { assistant_id, graph_id } = await getAssistant(deployment, idOrName);
  if (patch.graph_id !== undefined && patch.graph_id !== graph_id) {
    if (isSystem(deployment, assistant_id)) {
      throw new Fault("invalid", "A system assistant cannot have another graph", {
        issues: [{ path: "graph_id", message: `expected ${JSON.stringify(graph_id)}` }],
      });
    }
    requireGraph(deployment, patch.graph_id);
  }
  const now = isoTime(platform.clock.now());
  const change: AssistantChange = (assistant) => applyPatch(assistant, patch, now);
  return (await deployment.assistants.update(assistant_id, change)) ?? unknown();
}

/** Lists the versions of an assistant, newest first. Faults: `not_found`. */
export async function listAssistantVersions(
  deployment: Deployment,
  idOrName: string,
  search: VersionSearch,
): Promise<AssistantVersion[]> {
  const { assistant_id } = await getAssistant(deployment, idOrName);
  return await deployment.assistants.versions(assistant_id, search);
}

/** Restores one of the assistant's versions. Faults: `not_found` for assistant and version. */
export async function setLatestAssistant(
  platform: Platform,
  deployment: Deployment,
  idOrName: string,
  version: number,
): Promise<Assistant> {
  const { assistant_id } = await getAssistant(deployment, idOrName);
  const now = isoTime(platform.clock.now());
  return (await deployment.assistants.setLatest(assistant_id, version, now)) ?? unknown("Assistant version");
}

/** Returns whether this is the system assistant of a graph. */
function isSystem(deployment: Deployment, assistantId: string): boolean {
  return [...deployment.systemAssistants.values()].includes(assistantId);
}

export async function searchAssistants(
  deployment: Deployment,
  search: AssistantSearch,
  visible?: Visibility,
): Promise<SearchPage<Partial<Assistant>>> {
  const { assistants, total } = await deployment.assistants.search(search, visible);
  const selected = assistants.map((one) => selectFields(one, search.select));
  return searchPage(selected, total, search.offset);
}

export function countAssistants(
  deployment: Deployment,
  filter: AssistantFilter,
  visible?: Visibility,
): Promise<number> {
  return deployment.assistants.count(filter, visible);
}

/** Draws a graph. Faults: `not_found` when the application has no such graph, `unavailable` when it did not load. */
export async function drawGraph(deployment: Deployment, graph: string, xray: boolean | number): Promise<GraphDrawing> {
  requireLoaded(deployment, graph);
  return await deployment.worker.drawing(graph, xray);
}

/** Returns the JSON Schemas of an assistant's graph. Faults: as `drawGraph`. */
export async function getAssistantSchemas(
  deployment: Deployment,
  { graph_id }: Pick<Assistant, "graph_id">,
): Promise<GraphSchemas> {
  requireLoaded(deployment, graph_id);
  return await deployment.worker.schemas(graph_id);
}

/** Returns the schemas of a graph's input and output, quickly where these are messages. Faults: as `drawGraph`. */
export async function readIoSchemas(
  deployment: Deployment,
  graph: string,
): Promise<{ input: unknown; output: unknown }> {
  requireLoaded(deployment, graph);
  const { input_schema, output_schema } = await deployment.worker.schemas(graph, "without messages");
  return { input: input_schema, output: output_schema };
}

/**
 * Returns the schemas of subgraphs by namespace (node names joined by `|`): of the named one or of all, at any depth
 * when `recurse` is set. Faults: as `drawGraph`.
 */
export async function getAssistantSubgraphs(
  deployment: Deployment,
  { graph_id }: Pick<Assistant, "graph_id">,
  namespace: string | undefined,
  recurse: boolean,
): Promise<Subgraphs> {
  requireLoaded(deployment, graph_id);
  return await deployment.worker.subgraphs(graph_id, namespace, recurse);
}

function requireGraph(deployment: Deployment, graph: string): void {
  if (!hasGraph(deployment, graph)) throw new Fault("not_found", `Graph "${graph}" not found`);
}

function requireLoaded(deployment: Deployment, graph: string): void {
  requireGraph(deployment, graph);
  const error = deployment.worker.graphs().find((one) => one.graph === graph)?.error;
  if (error) throw new Fault("unavailable", `Graph "${graph}" did not load: ${error.error}: ${error.message}`);
}

/**
 * Deletes an assistant with its versions and runs, and returns its id. With `threads`, the `visible` threads whose
 * `metadata.assistant_id` it is are deleted too. Its runs are stopped first and it is deleted last, so a deletion that
 * was cut short can be repeated. Faults: `not_found`; `invalid` for a system assistant, which calls by the graph's name
 * need.
 */
export async function deleteAssistant(
  deployment: Deployment,
  idOrName: string,
  { threads, visible }: { threads: boolean; visible?: Visibility },
): Promise<string> {
  const { assistant_id: id } = await getAssistant(deployment, idOrName);
  if (isSystem(deployment, id)) throw new Fault("invalid", "A system assistant cannot be deleted");
  await stopRuns(deployment, id);
  if (threads) await deleteThreads(deployment, id, visible);
  if (!(await deployment.assistants.delete(id))) throw new Fault("not_found", "Assistant not found");
  deployment.taskFeeds.publishDeleted({ assistant_id: id });
  return id;
}

/** Cancels the assistant's runs. Resolves when all of them have ended, so that their followers get the end. */
async function stopRuns(deployment: Deployment, assistantId: string): Promise<void> {
  const active = await deployment.runs.list(["pending", "running"]);
  const own = active.filter((run) => run.assistant_id === assistantId);
  await Promise.all(own.map((run) => cancelRun(deployment, run.run_id).then(() => untilEnded(deployment, run))));
}

async function deleteThreads(deployment: Deployment, assistantId: string, visible?: Visibility): Promise<void> {
  const search = ThreadSearch.parse({ metadata: { assistant_id: assistantId }, limit: 100 });
  for (;;) {
    const { threads } = await deployment.threads.search(search, visible);
    if (threads.length === 0) return;
    const ids = threads.map((thread) => thread.thread_id);
    await pruneThreads(deployment, ids, "delete");
  }
}
