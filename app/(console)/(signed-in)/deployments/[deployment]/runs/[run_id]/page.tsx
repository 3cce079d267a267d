import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isUuid } from "#lib/rules/uuid.ts";
import { roomProps } from "../../../../../_rooms/room-props.ts";
import { RunView } from "../../../../../_runs/run-view.tsx";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../../_shell/deployment.ts";

type Props = PageProps<"/deployments/[deployment]/runs/[run_id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Run · ${(await deploymentOf(params)).name}` };
}

/** The API decides whether the caller may see the run, because only the browser has the caller's headers. */
export default async function RunPage({ params }: Props) {
  const deployment = await deploymentOf(params);
  const { run_id } = await params;
  if (!isUuid(run_id) || !(await deployment.runs.get(run_id))) notFound();
  return (
    <QueryPage>
      <RunView key={run_id} {...await roomProps(deployment)} run={run_id} />
    </QueryPage>
  );
}
