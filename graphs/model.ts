// Creates the graphs' chat model: the one that AGENT_MODEL names, or else the built-in one, which needs no key.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { OfflineChatModel } from "./offline-model.ts";

type ModelEnvironment = Readonly<Record<string, string | undefined>>;

export type ToolCallingModel = BaseChatModel & Required<Pick<BaseChatModel, "bindTools">>;

const FORMS =
  "Accepted are openai:<model> with OPENAI_API_KEY, or with OPENAI_BASE_URL for any server that speaks OpenAI's protocol " +
  "(Ollama, vLLM, LM Studio), and anthropic:<model> with ANTHROPIC_API_KEY. Leave AGENT_MODEL empty for the built-in model.";

/** The number of retries. A wrong address should fail in seconds; the packages' default of six tries takes a minute. */
const maxRetries = 2;

/** Creates the model for each answer, so that a wrong setting fails the run with a message, and not the loading. */
export async function createModel(env: ModelEnvironment = process.env): Promise<ToolCallingModel> {
  const choice = env["AGENT_MODEL"]?.trim();
  if (!choice) return new OfflineChatModel();
  const [, provider, model] = /^(\w+):(\S+)$/u.exec(choice) ?? [];
  if (provider === "openai" && model) return openai(model, env);
  if (provider === "anthropic" && model) return anthropic(model, env);
  throw new Error(`AGENT_MODEL is "${choice}", which names no model. ${FORMS}`);
}

// Each provider's package takes 250 ms to load, so only the chosen one is loaded, and only on the first request.

async function openai(model: string, env: ModelEnvironment): Promise<ToolCallingModel> {
  const baseURL = env["OPENAI_BASE_URL"] || undefined;
  // A local server needs no key, but the package insists on one.
  const apiKey = env["OPENAI_API_KEY"] || (baseURL && "none");
  if (!apiKey) throw new Error(`AGENT_MODEL is "openai:${model}" but OPENAI_API_KEY is not set. ${FORMS}`);
  const { ChatOpenAI } = await import("@langchain/openai");
  return new ChatOpenAI({ model, apiKey, maxRetries, configuration: { baseURL } });
}

async function anthropic(model: string, env: ModelEnvironment): Promise<ToolCallingModel> {
  const anthropicApiUrl = env["ANTHROPIC_BASE_URL"] || undefined;
  const apiKey = env["ANTHROPIC_API_KEY"];
  if (!apiKey) throw new Error(`AGENT_MODEL is "anthropic:${model}" but ANTHROPIC_API_KEY is not set. ${FORMS}`);
  const { ChatAnthropic } = await import("@langchain/anthropic");
  return new ChatAnthropic({ model, apiKey, anthropicApiUrl, maxRetries });
}
