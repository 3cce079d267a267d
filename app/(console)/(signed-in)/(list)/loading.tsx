import { PageContent, TopBar } from "../../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../../_ui/skeleton.tsx";

export default function DeploymentsLoading() {
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments" }]} />
      <PageContent>
        <Loading what="the deployments" />
        <Skeleton className="mb-4 h-7 w-48" />
        <Skeleton className="h-24.5 w-full rounded-card" />
      </PageContent>
    </>
  );
}
