/** Computes vectors of texts, by a service or by code: only the application has the key or the code. */
import { env } from "node:process";
import { parseGraphPath } from "../../protocol/config.ts";
import { isObject } from "../../protocol/json.ts";
import type { HostMessage, WorkerMessage } from "../../protocol/worker.ts";
import { GraphLoadError, logFailure, toRunError, withoutFolder } from "../failure.ts";
import { type Application, loadExport } from "./load.ts";

type EmbedQuestion = Extract<HostMessage, { type: "embed" }>;
type Embed = (texts: string[], of: EmbedQuestion["of"]) => Promise<unknown>;

const OPENAI = "openai:";
const OPENAI_URL = "https://api.openai.com/v1";
/** The deadline of one request to the service. The host waits a little longer. */
const ANSWER_MS = 25_000;
/** The number of texts in one request, about as many as services accept. */
const TEXTS = 256;

/** Creates the handler of requests for vectors, which never rejects. */
export function createEmbedder(app: Application): (question: EmbedQuestion) => Promise<WorkerMessage> {
  const known = new Map<string, Promise<Embed>>();
  return async ({ id, by, of, texts }) => {
    try {
      const embed = known.get(by) ?? embedOf(app, by);
      known.set(by, embed);
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += TEXTS) {
        vectors.push(...vectorsOf(await (await embed)(texts.slice(from, from + TEXTS), of)));
      }
      return { type: "embedded", id, vectors };
    } catch (error) {
      known.delete(by);
      logFailure("Texts of the store cannot be embedded:", error);
      return { type: "embedded", id, error: withoutFolder(toRunError(error), app.folder) };
    }
  };
}

async function embedOf(app: Application, by: string): Promise<Embed> {
  if (by.startsWith(OPENAI)) return (texts) => askOpenAi(by.slice(OPENAI.length), texts);
  const { file, exportName } = parseGraphPath(by);
  const exported = await loadExport(app.folder, file, exportName);
  if (typeof exported === "function") {
    return async (texts) => (await Reflect.apply(exported, undefined, [texts])) as unknown;
  }
  if (isEmbeddings(exported)) {
    return async (texts, of) => {
      if (of === "items") return await exported.embedDocuments(texts);
      return await Promise.all(texts.map((text) => exported.embedQuery(text)));
    };
  }
  throw new GraphLoadError(`${by} is neither a function nor embeddings of LangChain`);
}

interface Embeddings {
  embedDocuments(texts: string[]): Promise<unknown>;
  embedQuery(text: string): Promise<unknown>;
}

function isEmbeddings(value: unknown): value is Embeddings {
  return (
    typeof value === "object" &&
    value !== null &&
    "embedDocuments" in value &&
    typeof value.embedDocuments === "function" &&
    "embedQuery" in value &&
    typeof value.embedQuery === "function"
  );
}

/** Calls a service with OpenAI's API. The text of its error stays in the server log. */
async function askOpenAi(model: string, texts: string[]): Promise<unknown> {
  const base = (env.OPENAI_BASE_URL || OPENAI_URL).replace(/\/+$/, "");
  const answer = await fetch(`${base}/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(env.OPENAI_API_KEY && { authorization: `Bearer ${env.OPENAI_API_KEY}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!answer.ok) {
    logFailure(`The embeddings service answered ${answer.status}: ${(await answer.text()).slice(0, 2000)}`);
    const hint = env.OPENAI_API_KEY ? "" : "; OPENAI_API_KEY is not set";
    throw new Error(`The embeddings service answered with status ${answer.status}${hint}`);
  }
  const body: unknown = await answer.json();
  const rows = isObject(body) && Array.isArray(body.data) ? body.data.filter(isObject) : [];
  return rows.toSorted((a, b) => Number(a.index) - Number(b.index)).map(({ embedding }) => embedding);
}

/** Converts lists and typed arrays of numbers to lists. */
function vectorsOf(value: unknown): number[][] {
  if (!Array.isArray(value)) throw new TypeError("The embedding returned no list of vectors");
  return value.map((vector: unknown) => {
    const numbers =
      Array.isArray(vector) || vector instanceof Float32Array || vector instanceof Float64Array
        ? Array.from(vector, Number)
        : [];
    if (numbers.length > 0 && numbers.every(Number.isFinite)) return numbers;
    throw new TypeError("The embedding returned a vector that is no list of finite numbers");
  });
}
