import type { ReactNode } from "react";
import type { RevisionProblem } from "#lib/protocol/revisions.ts";
import { placeWords, problemTitle } from "#lib/rules/revisions/words.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";

/** Shows why a revision failed: the message, its place in the source, the fix, and buttons. */
export function ProblemNotice({
  problem,
  revision,
  action,
}: {
  problem: RevisionProblem;
  /** The number of the revision, if the page is not about it. */
  revision?: number;
  action?: ReactNode;
}) {
  const { message, fix } = problem;
  const place = placeWords(problem);
  const title = problemTitle(problem);
  return (
    <Notice tone="bad" title={revision === undefined ? title : `Revision ${revision}: ${title}`} action={action}>
      <div className="my-1 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          {place === undefined ? null : <code className="mr-2 font-mono text-code text-ink">{place}</code>}
          <span className="break-words whitespace-pre-wrap text-ink">{message}</span>
        </div>
        <CopyButton text={[place, message, fix].filter(Boolean).join("\n")} label="Copy the error" />
      </div>
      {fix === undefined ? null : <p className="whitespace-pre-wrap">{fix}</p>}
    </Notice>
  );
}
