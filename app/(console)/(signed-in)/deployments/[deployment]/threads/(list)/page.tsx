import type { Metadata } from "next";
import { roomProps } from "../../../../../_rooms/room-props.ts";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../../_shell/deployment.ts";
import { ThreadsView } from "../../../../../_threads/threads-view.tsx";

type Props = PageProps<"/deployments/[deployment]/threads">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Threads · ${(await deploymentOf(params)).name}` };
}

export default async function ThreadsPage({ params }: Props) {
  const props = await roomProps(await deploymentOf(params));
  return (
    <QueryPage>
      <ThreadsView {...props} />
    </QueryPage>
  );
}
