"use client";

import { useCallback, useEffect } from "react";
import type { AssistantApi } from "#lib/client/assistants.ts";
import type { GraphSchemas } from "#lib/protocol/assistants.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { useRead } from "../_ui/use-read.ts";

/**
 * Reads the schemas of an assistant's graph; undefined until they are known, also those of another one meanwhile. `isRead`:
 * they are known, or cannot be read.
 */
export function useSchemas(api: AssistantApi, assistant: string) {
  const read = useCallback(async (): Promise<ReadSchemas> => {
    try {
      return { of: assistant, schemas: await api.schemas(assistant) };
    } catch (error) {
      return { of: assistant, failure: errorMessage(error) };
    }
  }, [api, assistant]);
  const { value, refresh } = useRead<ReadSchemas | undefined>(read, undefined);
  useEffect(() => void refresh(), [refresh]);
  const own = value?.of === assistant ? value : undefined;
  return { schemas: own?.schemas, failure: own?.failure, isRead: own !== undefined };
}

interface ReadSchemas {
  readonly of: string;
  readonly schemas?: GraphSchemas;
  readonly failure?: string;
}
