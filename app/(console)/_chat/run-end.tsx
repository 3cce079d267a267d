import Link from "next/link";
import type { ReactNode } from "react";
import type { FollowEnd } from "@/lib/client/follow-run.ts";
import type { FaultReason } from "@/lib/protocol/faults.ts";
import type { RunError } from "@/lib/protocol/stream.ts";
import type { Caller } from "../_auth/caller.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { useChatContext } from "./chat-context.ts";

interface EndNotice {
  title: string;
  details?: string;
  advice: ReactNode;
  signIn?: boolean;
}

/** Shows why a run ended before its answer was complete, and what to do. */
export function RunEnd({
  end,
  error,
  isAnswer = false,
  onRetry,
}: {
  end: FollowEnd;
  error: RunError | undefined;
  /** Whether the request was an answer to an interrupt. After a failure, the answer did not arrive. */
  isAnswer?: boolean;
  onRetry?: () => void;
}) {
  const { caller } = useChatContext();
  if (end.how === "stopped") return <p className="text-small text-ink-3">Stopped</p>;
  const notice = error ? noticeOfError(error) : noticeOfEnd(end, isAnswer, caller);
  if (!notice) return null;
  return (
    <div role="alert">
      <Notice tone="bad" title={notice.title}>
        {notice.details ? (
          <pre className="mb-2 max-h-48 overflow-auto font-mono text-code break-words whitespace-pre-wrap text-ink">
            {notice.details}
          </pre>
        ) : null}
        {notice.advice}
        <Actions notice={notice} onRetry={onRetry} />
      </Notice>
    </div>
  );
}

function Actions({ notice: { title, details, signIn }, onRetry }: { notice: EndNotice; onRetry?: () => void }) {
  if (!onRetry && !details && !signIn) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {signIn ? <ButtonLink href="/sign-in">Sign in</ButtonLink> : null}
      {onRetry && !signIn && title !== GONE ? <Button onClick={onRetry}>Retry</Button> : null}
      {details ? (
        <CopyButton text={`${title}: ${details}`} label={`Copy error ${title}`} variant="quiet">
          Copy error
        </CopyButton>
      ) : null}
    </div>
  );
}

function noticeOfError({ error, message }: RunError): EndNotice {
  return {
    title: error,
    details: message,
    advice: "The graph failed. The server log has the stack; mend the cause, then retry.",
  };
}

function noticeOfEnd(end: FollowEnd, waits: boolean, caller: Caller): EndNotice | undefined {
  if (end.how === "lost") {
    return {
      title: "The connection broke",
      advice: waits
        ? "Your answer did not reach the server. Check that it runs, then answer again."
        : "The server could not be reached, so nothing was started. Check that it runs, then retry.",
    };
  }
  if (end.how !== "refused") return undefined;
  if ((end.status === 401 || end.status === 403) && (caller === "own" || caller === "studio"))
    return { title: `The application refused (${end.status})`, details: end.message, advice: AUTH_ADVICE[caller] };
  if (end.status === 401)
    return { title: "Signed out", details: end.message, advice: "The session has ended.", signIn: true };
  if (end.reason === ("no_thread" satisfies FaultReason)) return { title: GONE, advice: <NewChat /> };
  return { title: `The server refused (${end.status})`, details: end.message, advice: adviceFor(end.status) };
}

const AUTH_ADVICE = {
  own: "It is its own authentication that says so. Change the headers at the top of this page, then retry.",
  studio: "It is its own authentication that says so. Give the headers of a user who may at the top of this page.",
};

const GONE = "This conversation is not there any more";

function NewChat() {
  const { newChat } = useChatContext();
  return (
    <>
      It was deleted meanwhile. Copy what you need, then begin a{" "}
      <Link className="text-accent underline" href={newChat()}>
        new chat
      </Link>
      .
    </>
  );
}

function adviceFor(status: number): ReactNode {
  if (status === 409)
    return "An answer is being written here already, perhaps in another tab. Wait for it, then retry.";
  if (status === 404) {
    return (
      <>
        The assistant is not there any more.{" "}
        <Link className="text-accent underline" href="/">
          Choose another
        </Link>
        .
      </>
    );
  }
  if (status === 503) return "The worker is not ready. It may be restarting: retry in a moment.";
  if (status === 413 || status === 422) return "The message was not accepted. Change it, then send it again.";
  return "Retry; if it stays, the server log says why.";
}
