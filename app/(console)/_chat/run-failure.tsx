import type { ReactNode } from "react";
import type { FollowEnd } from "#lib/client/follow-run.ts";
import type { FaultReason } from "#lib/protocol/faults.ts";
import type { RunError } from "#lib/protocol/stream.ts";
import type { Caller } from "../_auth/caller.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { useChatContext } from "./chat-context.ts";

export interface RunFailureProps {
  end: FollowEnd;
  error: RunError | undefined;
  onRetry?: () => void;
}

interface EndNotice {
  title: string;
  details?: string;
  advice: ReactNode;
  signIn?: boolean;
}

/** Shows why a run failed or was refused, and what to do. */
export default function RunFailure({ end, error, onRetry }: RunFailureProps) {
  const { caller } = useChatContext();
  const notice = error ? noticeOfError(error) : end.how === "refused" ? noticeOfRefusal(end, caller) : undefined;
  if (!notice) return null;
  return (
    <Notice alert tone="bad" title={notice.title}>
      {notice.details ? (
        <pre className="mb-2 max-h-48 overflow-auto font-mono text-code break-words whitespace-pre-wrap text-ink">
          {notice.details}
        </pre>
      ) : null}
      {notice.advice}
      <Actions notice={notice} onRetry={onRetry} />
    </Notice>
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
    advice: "The run failed. The server log has the stack trace. Fix the cause, then retry.",
  };
}

function noticeOfRefusal(end: Extract<FollowEnd, { how: "refused" }>, caller: Caller): EndNotice {
  if ((end.status === 401 || end.status === 403) && (caller === "custom" || caller === "studio"))
    return {
      title: `The application refused the request (${end.status})`,
      details: end.message,
      advice: AUTH_ADVICE[caller],
    };
  if (end.status === 401)
    return { title: "Signed out", details: end.message, advice: "The session has ended.", signIn: true };
  if (end.reason === ("no_thread" satisfies FaultReason)) return { title: GONE, advice: <NewChat /> };
  return {
    title: end.status === 503 ? "Not sent: the server is not ready" : `The server refused the request (${end.status})`,
    details: end.message,
    advice: adviceFor(end.status),
  };
}

const AUTH_ADVICE = {
  custom: "Its authentication rejects these headers. Change the headers at the top of this page, then retry.",
  studio: "Its authentication rejects the studio user. Enter the headers of another user at the top of this page.",
};

const GONE = "This thread no longer exists";

function NewChat() {
  const { newChat } = useChatContext();
  return (
    <>
      It was deleted. Copy what you need, then start a{" "}
      <PageLink className="text-accent underline" href={newChat()}>
        new thread
      </PageLink>
      .
    </>
  );
}

function adviceFor(status: number): ReactNode {
  if (status === 409)
    return "Another run is active on this thread, perhaps from another tab. Wait until it ends, then retry.";
  if (status === 404) {
    return (
      <>
        The assistant no longer exists.{" "}
        <PageLink className="text-accent underline" href="/">
          Choose another
        </PageLink>
        .
      </>
    );
  }
  if (status === 503) return "It may be restarting. Your message is kept here: retry in a moment.";
  if (status === 413 || status === 422) return "The message was not accepted. Change it, then send it again.";
  return "Retry. If the error persists, see the server log.";
}
