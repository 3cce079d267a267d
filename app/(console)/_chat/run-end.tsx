import { Suspense } from "react";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import type { RunFailureProps } from "./run-failure.tsx";

/** Its code is loaded from the server that answered with the failure. That of a lost connection must be there before. */
const RunFailure = lazyPart(() => import("./run-failure.tsx"));
const ConnectionLost = lazyPart(() => import("./connection-lost.tsx"));
preload(ConnectionLost.load);

/** Shows why a run ended before its answer was complete, and what to do. */
export function RunEnd({
  isAnswer = false,
  ...props
}: RunFailureProps & {
  /** True if the request was an answer to an interrupt, which did not arrive if the request failed. */
  isAnswer?: boolean;
}) {
  const { end, error, onRetry } = props;
  if (end.how === "stopped") return <p className="text-small text-ink-3">Stopped</p>;
  if (error || end.how === "refused") {
    return (
      <Suspense>
        <RunFailure {...props} />
      </Suspense>
    );
  }
  if (end.how !== "lost") return null;
  return (
    <Suspense>
      <ConnectionLost end={end} isAnswer={isAnswer} onRetry={onRetry} />
    </Suspense>
  );
}
