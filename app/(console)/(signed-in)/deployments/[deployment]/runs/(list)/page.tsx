import type { Metadata } from "next";
import { roomProps } from "../../../../../_rooms/room-props.ts";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../../_shell/deployment.ts";
import { RunsView } from "../../../../../_runs/runs-view.tsx";

type Props = PageProps<"/deployments/[deployment]/runs">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Runs · ${(await deploymentOf(params)).name}` };
}

export default async function RunsPage({ params }: Props) {
  const props = await roomProps(await deploymentOf(params));
  return (
    <QueryPage>
      <RunsView {...props} />
    </QueryPage>
  );
}
