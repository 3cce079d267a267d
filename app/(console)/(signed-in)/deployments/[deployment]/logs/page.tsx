import type { Metadata } from "next";
import { listRevisions } from "#lib/engine/control/revisions.ts";
import { running } from "#lib/platform.ts";
import { Logs } from "../../../../_log/logs.tsx";
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
  const requested = Number((await searchParams).revision);
  const revision = revisions.find((one) => one.number === requested)?.number;
  return (
    <Logs
      key={revision ?? "server"}
      deployment={deployment.name}
      revision={revision}
      revisions={revisions.map((one) => one.number)}
      live={deployment.live}
    />
  );
}
