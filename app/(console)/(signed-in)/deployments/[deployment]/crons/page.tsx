import type { Metadata } from "next";
import { roomProps } from "../../../../_rooms/room-props.ts";
import { QueryPage } from "../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { CronsView } from "../../../../_crons/crons-view.tsx";

type Props = PageProps<"/deployments/[deployment]/crons">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Crons · ${(await deploymentOf(params)).name}` };
}

export default async function CronsPage({ params }: Props) {
  const props = await roomProps(await deploymentOf(params));
  return (
    <QueryPage>
      <CronsView {...props} />
    </QueryPage>
  );
}
