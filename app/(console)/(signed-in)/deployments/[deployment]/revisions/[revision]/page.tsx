import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { deploysPushes } from "#lib/engine/control/hooks.ts";
import { getRevision, listRevisions, revisionChanges, shownRevision } from "#lib/engine/control/revisions.ts";
import { running } from "#lib/platform.ts";
import { isFault } from "#lib/protocol/faults.ts";
import { stateWord } from "#lib/rules/revisions/words.ts";
import { typicalTimes } from "#lib/rules/revisions/typical-times.ts";
import { Progress } from "../../../../../_revisions/progress.tsx";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { storedDeploymentOf } from "../../../../../_shell/deployment.ts";
import { addressesOf } from "../../../../../_shell/server.ts";

type Props = PageProps<"/deployments/[deployment]/revisions/[revision]">;

/** The number of revisions from which typical times are computed. */
const COMPARED = 12;

/** The title shows the state, because it is visible while another tab is open. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { shown } = await read(await params);
  return { title: `${stateWord(shown)} · ${shown.deployment} ${shown.number}` };
}

export default async function RevisionPage({ params, searchParams }: Props) {
  const { control } = running();
  const { deployment, revision, shown } = await read(await params);
  const others = await listRevisions(control, deployment, { limit: COMPARED });
  const { since: requested } = await searchParams;
  const since = others.find((one) => one.number === Number(requested))?.number;
  const builds = revision.build_of === null || revision.build_of === revision.number;
  return (
    <QueryPage>
      <Progress
        key={revision.number}
        initial={shown}
        live={deployment.live}
        changes={await revisionChanges(control, deployment, revision, since)}
        others={others.map((one) => one.number).filter((number) => number !== revision.number)}
        typical={typicalTimes(others, builds)}
        api={(await addressesOf(deployment.name)).api}
        deploysPushes={await deploysPushes(control, deployment)}
      />
    </QueryPage>
  );
}

async function read(params: { deployment: string; revision: string }) {
  return await readCached(params.deployment, params.revision);
}

/** The cache makes the title and the page share one read. */
const readCached = cache(async (name: string, number: string) => {
  const { control } = running();
  const deployment = await storedDeploymentOf(Promise.resolve({ deployment: name }));
  if (!/^\d{1,9}$/.test(number)) notFound();
  try {
    const revision = await getRevision(control, deployment, Number(number));
    return { deployment, revision, shown: await shownRevision(control, deployment, revision) };
  } catch (thrown) {
    if (isFault(thrown) && thrown.code === "not_found") notFound();
    throw thrown;
  }
});
