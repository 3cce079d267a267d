"use client";

import { useState } from "react";
import { earlierInputs, rememberInput } from "./earlier-inputs.ts";
import { useStudio } from "./studio-context.ts";

/** The messages that were sent to this graph from this tab, and the position in them: the one after the last is a new one. */
export function useEarlierMessages() {
  const { deployment, graph } = useStudio();
  const [{ texts, at }, setEarlier] = useState(() => {
    const kept = earlierInputs("messages", deployment, graph).filter((one) => typeof one === "string");
    return { texts: kept.toReversed(), at: kept.length };
  });
  return {
    /** The message at the position; undefined for a new one. */
    current: texts[at],
    /** Moves the position. Returns the message there, which is empty for a new one; undefined if there is none. */
    recall(step: 1 | -1): string | undefined {
      const to = at + step;
      if (to < 0 || to > texts.length) return undefined;
      setEarlier({ texts, at: to });
      return texts[to] ?? "";
    },
    remember(text: string): void {
      rememberInput("messages", deployment, graph, text);
      setEarlier({ texts: [...texts, text], at: texts.length + 1 });
    },
  };
}
