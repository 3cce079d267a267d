"use client";

import { useCallback, useEffect, useRef } from "react";
import type { AssistantApi, AssistantPage } from "#lib/client/assistants.ts";
import { useRead } from "../_ui/use-read.ts";

const PAGE = 100;

/** Reads the assistants whose names have a text, by name. */
export function useAssistants(api: AssistantApi, name: string) {
  const wanted = useRef(PAGE);
  const read = useCallback(async (): Promise<AssistantPage | undefined> => {
    const pages = await Promise.all(
      Array.from({ length: wanted.current / PAGE }, (_, at) => api.search(name, PAGE, at * PAGE)),
    );
    return { assistants: pages.flatMap((one) => one.assistants), total: pages[0]?.total ?? 0 };
  }, [api, name]);
  const { value, failure, refresh } = useRead<AssistantPage | undefined>(read, undefined);
  useEffect(() => {
    wanted.current = PAGE;
    void refresh();
  }, [refresh]);
  const more = (): void => {
    wanted.current += PAGE;
    void refresh();
  };
  return { page: value, failure, refresh, more };
}

export type Assistants = ReturnType<typeof useAssistants>;
