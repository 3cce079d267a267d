import type { Metadata } from "next";
import { listRevisions } from "@/lib/engine/control/revisions.ts";
import { running } from "@/lib/platform.ts";
import { Logs } from "../../../../_log/logs.tsx";
import { type DeploymentParams, storedDeploymentOf } from "../../../../_shell/deployment.ts";

interface PageProps {
  params: DeploymentParams;
  searchParams: Promise<{ revision?: string | string[] }>;
}

const LISTED = 50;

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Logs · ${decodeURIComponent((await params).deployment)}` };
}

export default async function LogsPage({ params, searchParams }: PageProps) {
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
