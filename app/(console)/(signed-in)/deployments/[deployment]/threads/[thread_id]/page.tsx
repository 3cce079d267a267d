import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isUuid } from "#lib/rules/uuid.ts";
import { roomProps } from "../../../../../_rooms/room-props.ts";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../../_shell/deployment.ts";
import { ThreadView } from "../../../../../_threads/thread-view.tsx";

type Props = PageProps<"/deployments/[deployment]/threads/[thread_id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Thread · ${(await deploymentOf(params)).name}` };
}

/** The API decides whether the caller may see the thread, because only the browser has the caller's headers. */
export default async function ThreadPage({ params }: Props) {
  const deployment = await deploymentOf(params);
  const { thread_id } = await params;
  if (!isUuid(thread_id) || !(await deployment.threads.get(thread_id))) notFound();
  return (
    <QueryPage>
      <ThreadView key={thread_id} {...await roomProps(deployment)} thread={thread_id} />
    </QueryPage>
  );
}
