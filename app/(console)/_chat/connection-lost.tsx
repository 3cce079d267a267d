import type { FollowEnd } from "#lib/client/follow-run.ts";
import { Button } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";

type Loss = Extract<FollowEnd, { how: "lost" }>;

interface ConnectionLostProps {
  end: Loss;
  /** True if the request was an answer to an interrupt. */
  isAnswer: boolean;
  onRetry: (() => void) | undefined;
}

/** Says what the connection took with it when it broke, and what to do. */
export default function ConnectionLost({ end, isAnswer, onRetry }: ConnectionLostProps) {
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

function noticeOfLoss({ isUnsent }: Loss, isAnswer: boolean): { title: string; advice: string } {
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
