import type { DeploymentView } from "@/lib/protocol/deployments.ts";
import { isUnderway } from "@/lib/rules/revision-state.ts";
import { stateWord } from "@/lib/rules/revision-words.ts";
import { ButtonLink } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";

/** A revision that is on its way: what it is at, and where to watch it. */
export function Underway({ view: { name, live, newest } }: { view: DeploymentView }) {
  if (!newest || !isUnderway(newest.state)) return null;
  const href = `/deployments/${encodeURIComponent(name)}/revisions/${newest.number}`;
  return (
    <Notice
      tone="neutral"
      title={`Revision ${newest.number}: ${stateWord(newest)}`}
      action={
        <ButtonLink look={live ? "outline" : "primary"} href={href}>
          Watch it
        </ButtonLink>
      }
    >
      {live
        ? `Revision ${live.number} serves until it is ready.`
        : "Its address is known already; it answers once this is done."}
    </Notice>
  );
}
