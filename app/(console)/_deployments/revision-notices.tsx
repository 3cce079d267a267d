import type { DeploymentView } from "#lib/protocol/deployments.ts";
import type { RevisionProblem } from "#lib/protocol/revisions.ts";
import { failedRevision, isUnderway } from "#lib/rules/revisions/phases.ts";
import { stateWord } from "#lib/rules/revisions/words.ts";
import { ProblemNotice } from "../_revisions/problem-notice.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Notice } from "../_ui/notice.tsx";

/** Shows the state of a revision that is not finished yet, with a link to its progress. */
export function RevisionInProgress({ view: { name, live, newest } }: { view: DeploymentView }) {
  if (!newest || !isUnderway(newest.state)) return null;
  const href = `${deploymentPath(name)}/revisions/${newest.number}`;
  return (
    <Notice
      tone="neutral"
      title={`Revision ${newest.number}: ${stateWord(newest)}`}
      action={
        <ButtonLink variant={live ? "outline" : "primary"} href={href}>
          Show progress
        </ButtonLink>
      }
    >
      {live ? `Revision ${live.number} stays live until it is ready.` : "Its API URL works once the build is done."}
    </Notice>
  );
}

/** Shows why the newest revision failed while another one is live, with a link to its log. */
export function FailedRevision({
  view,
  problem,
}: {
  view: DeploymentView;
  problem: RevisionProblem | null | undefined;
}) {
  const failed = failedRevision(view);
  if (failed === undefined || !problem) return null;
  return (
    <ProblemNotice
      problem={problem}
      revision={failed}
      action={<ButtonLink href={`${deploymentPath(view.name)}/revisions/${failed}`}>Show build log</ButtonLink>}
    />
  );
}
