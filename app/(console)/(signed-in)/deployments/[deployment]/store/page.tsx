import type { Metadata } from "next";
import { consoleAccess } from "../../../../_auth/console-access.ts";
import { QueryPage } from "../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { StoreView } from "../../../../_store/store-view.tsx";

type Props = PageProps<"/deployments/[deployment]/store">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Store · ${(await deploymentOf(params)).name}` };
}

export default async function StorePage({ params }: Props) {
  const deployment = await deploymentOf(params);
  const { caller, isLinkPrinted } = await consoleAccess(deployment);
  return (
    <QueryPage>
      <StoreView
        deployment={deployment.name}
        caller={caller}
        isLinkPrinted={isLinkPrinted}
        hasIndex={deployment.config?.store?.index !== undefined}
      />
    </QueryPage>
  );
}
