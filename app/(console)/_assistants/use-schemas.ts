"use client";

import { useCallback, useEffect } from "react";
import type { AssistantApi } from "#lib/client/assistants.ts";
import type { GraphSchemas } from "#lib/protocol/assistants.ts";
import { useRead } from "../_ui/use-read.ts";

/** Reads the schemas of an assistant's graph; undefined until they are known. */
export function useSchemas(api: AssistantApi, assistant: string) {
  const read = useCallback(async (): Promise<GraphSchemas | undefined> => api.schemas(assistant), [api, assistant]);
  const { value, failure, refresh } = useRead<GraphSchemas | undefined>(read, undefined);
  useEffect(() => void refresh(), [refresh]);
  return { schemas: value, failure };
}
