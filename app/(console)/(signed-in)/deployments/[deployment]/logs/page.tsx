import type { Metadata } from "next";
import { findRevision, listRevisions } from "#lib/engine/control/revisions.ts";
import type { StoredDeployment } from "#lib/engine/ports/builds.ts";
import { running } from "#lib/platform.ts";
import { Logs } from "../../../../_log/logs.tsx";
import { MissingPage } from "../../../../_rooms/missing-page.tsx";
import { QueryPage } from "../../../../_rooms/query-page.tsx";
import { storedDeploymentOf } from "../../../../_shell/deployment.ts";

type Props = PageProps<"/deployments/[deployment]/logs">;

const LISTED = 50;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Logs · ${decodeURIComponent((await params).deployment)}` };
}

export default async function LogsPage({ params, searchParams }: Props) {
  const { control } = running();
  const deployment = await storedDeploymentOf(params);
  const revisions = await listRevisions(control, deployment, { limit: LISTED });
  const { revision: requested } = await searchParams;
  const revision = await requestedRevision(deployment, requested);
  if (revision === null) return <MissingLog deployment={deployment.name} id={String(requested)} />;
  const numbers = revisions.map((one) => one.number);
  return (
    <QueryPage>
      <Logs
        key={revision ?? "server"}
        deployment={deployment.name}
        revision={revision}
        // An older revision is listed as well while it is shown.
        revisions={revision === undefined || numbers.includes(revision) ? numbers : [...numbers, revision]}
        live={deployment.live}
      />
    </QueryPage>
  );
}

/**
 * Returns the number of the revision that the URL names; null if there is no such revision, undefined if the URL names
 * none.
 */
async function requestedRevision(
  deployment: StoredDeployment,
  requested: string | readonly string[] | undefined,
): Promise<number | null | undefined> {
  if (requested === undefined || requested === "") return undefined;
  if (typeof requested !== "string" || !/^\d{1,9}$/.test(requested)) return null;
  const number = Number(requested);
  return (await findRevision(running().control, deployment, number)) ? number : null;
}

function MissingLog({ deployment, id }: { deployment: string; id: string }) {
  const list = { label: "Logs", path: "logs" };
  return (
    <MissingPage deployment={deployment} what="revision" id={id} list={list} lead="The server log">
      Revisions are numbered from 1, and this deployment has none with this number.
    </MissingPage>
  );
}
