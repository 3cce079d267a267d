"use client";

import Passed from "../_chat/passed.tsx";
import { GoneThread } from "./gone-thread.tsx";
import { useStudio } from "./studio-context.ts";

/** Says what another client did with the questions that were open here, or with the thread. */
export function PassedNotice() {
  const { state, query } = useStudio();
  const { passed, thread } = state;
  // The tabs that show a thread say themselves that it is gone.
  if (thread === "gone") return query.tab === "run" || query.tab === "state" ? null : <GoneThread />;
  return passed === undefined || passed === "deleted" ? null : <Passed passed={passed} />;
}
