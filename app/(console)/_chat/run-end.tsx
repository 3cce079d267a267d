import { Suspense } from "react";
import type { FollowEnd } from "#lib/client/follow-run.ts";
import { Button } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Notice } from "../_ui/notice.tsx";
import type { RunFailureProps } from "./run-failure.tsx";

/** Its code is loaded from the server that answered with the failure. That of a lost connection must be there before. */
const RunFailure = lazyPart(() => import("./run-failure.tsx"));

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
  const { title, advice } = noticeOfLoss(end, isAnswer);
  return (
    <Notice alert tone="bad" title={title}>
      {advice}
      {onRetry ? (
        <div className="mt-3">
          <Button onClick={onRetry}>Retry</Button>
        </div>
      ) : null}
    </Notice>
  );
}

function noticeOfLoss(
  { isUnsent }: Extract<FollowEnd, { how: "lost" }>,
  isAnswer: boolean,
): { title: string; advice: string } {
  if (isAnswer) {
    const advice = "Your answer did not reach the server. Check that the server is running, then answer again.";
    return { title: "Connection lost", advice };
  }
  if (isUnsent) {
    const advice =
      "The server could not be reached, so no run was started. Your question is kept here: retry to send it.";
    return { title: "Not sent: connection lost", advice };
  }
  return {
    title: "Perhaps not sent: connection lost",
    advice:
      "The connection broke before the server confirmed your question. It is kept here. Retry looks first whether it has " +
      "arrived, so that it is not asked twice.",
  };
}
