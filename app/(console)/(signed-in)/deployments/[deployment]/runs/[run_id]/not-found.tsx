import { NO_RUN } from "../../../../../_runs/run-words.ts";
import { LazyMissing } from "../../../../../_rooms/lazy-missing.tsx";

export default function RunNotFound() {
  return (
    <LazyMissing what="run" list={{ label: "Runs", path: "runs" }}>
      {NO_RUN}
    </LazyMissing>
  );
}
