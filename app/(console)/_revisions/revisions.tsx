import { duration } from "#lib/client/measures.ts";
import type { Revision } from "#lib/protocol/revisions.ts";
import { isUnderway } from "#lib/rules/revisions/phases.ts";
import { sourceWords, stateWord, triggerWords } from "#lib/rules/revisions/words.ts";
import { totalTime } from "#lib/rules/revisions/typical-times.ts";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { Pill, toneOf } from "../_ui/status.tsx";
import { HeadCell, Row, Table } from "../_ui/table.tsx";
import { Redeploy } from "./redeploy.tsx";
import { RollBack } from "./roll-back.tsx";

export function Revisions({
  deployment,
  live,
  inPlace,
  deploysPushes,
  revisions,
  older,
}: {
  deployment: string;
  live: number | null;
  /** True if the folder is served in place, so that no earlier build exists. */
  inPlace: boolean;
  /** True if a push to the repository deploys it. */
  deploysPushes: boolean;
  revisions: readonly Revision[];
  /** The next page starts before this revision. */
  older: number | undefined;
}) {
  const base = deploymentPath(deployment);
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, "Revisions")}>
        <Redeploy deployment={deployment} />
      </TopBar>
      <PageContent>
        <h1 className="mb-4 text-title font-semibold">Revisions</h1>
        {inPlace ? (
          <div className="mb-4">
            <Notice tone="neutral" title="This folder is served in place">
              Its files are not copied, so you cannot roll back to an earlier revision. Deploy from a repository to keep
              builds.
            </Notice>
          </div>
        ) : null}
        <Table
          head={
            <>
              <HeadCell className="w-16 pr-0">No.</HeadCell>
              <HeadCell className="md:w-44">Status</HeadCell>
              <HeadCell className="hidden md:table-cell">Source</HeadCell>
              <HeadCell className="hidden w-28 lg:table-cell">Duration</HeadCell>
              <HeadCell className="hidden w-32 lg:table-cell">Created</HeadCell>
              <HeadCell className="hidden w-36 sm:table-cell">
                <span className="sr-only">Actions</span>
              </HeadCell>
            </>
          }
        >
          {revisions.map((one) => (
            <RevisionRow
              key={one.number}
              base={base}
              revision={one}
              live={live}
              rollBack={!inPlace}
              deploysPushes={deploysPushes}
            />
          ))}
        </Table>
        {older === undefined ? null : (
          <div className="mt-4">
            <ButtonLink href={`${base}/revisions?before=${older}`}>Older revisions</ButtonLink>
          </div>
        )}
      </PageContent>
    </>
  );
}

function RevisionRow({
  base,
  revision,
  live,
  rollBack,
  deploysPushes,
}: {
  base: string;
  revision: Revision;
  live: number | null;
  rollBack: boolean;
  deploysPushes: boolean;
}) {
  const { number, state, commit, source, trigger, build_of, created_at } = revision;
  const took = totalTime(revision);
  const words = commit ? commit.message : sourceWords(source);
  return (
    <Row>
      <td className="pl-4 font-medium">
        <PageLink
          href={`${base}/revisions/${number}`}
          aria-label={`Revision ${number}`}
          aria-current={number === live ? "true" : undefined}
          className="after:absolute after:inset-0"
        >
          {number}
        </PageLink>
      </td>
      <td className="px-4">
        <Pill tone={toneOf(state)}>{stateWord(revision)}</Pill>
        <div className="mt-0.5 truncate text-small text-ink-3">
          {triggerWords[trigger]}
          <span className="md:hidden">{commit ? ` · ${commit.message}` : ""}</span>
        </div>
      </td>
      <td className="hidden px-4 md:table-cell">
        <div className="truncate" title={words}>
          {words}
        </div>
        <div className="truncate font-mono text-code text-ink-3">
          {commit ? `${commit.sha.slice(0, 7)}${commit.dirty ? " with changes" : ""}` : source.type}
          {build_of !== null && build_of !== number ? ` · build of ${build_of}` : ""}
        </div>
      </td>
      <td className="hidden px-4 text-ink-2 lg:table-cell">{isUnderway(state) || took === 0 ? "" : duration(took)}</td>
      <td className="hidden px-4 text-ink-2 lg:table-cell">
        <Moment at={created_at} />
      </td>
      <td className="hidden pr-4 text-right sm:table-cell">
        {rollBack && state === "replaced" && build_of !== null ? (
          <span className="relative z-1">
            <RollBack deployment={revision.deployment} revision={revision} deploysPushes={deploysPushes} />
          </span>
        ) : null}
      </td>
    </Row>
  );
}
