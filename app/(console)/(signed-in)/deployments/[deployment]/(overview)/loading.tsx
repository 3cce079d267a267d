import { PageContent, TopBar } from "../../../../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../../../../_ui/skeleton.tsx";

export default function OverviewLoading() {
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }]} />
      <PageContent>
        <Loading what="the deployment" />
        <div className="flex flex-col gap-5">
          <Skeleton className="h-13 w-64 md:h-7" />
          <div className="grid gap-4 lg:grid-cols-2 lg:gap-x-3">
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
          </div>
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            {["runs", "errors", "running", "memory"].map((name) => (
              <Skeleton key={name} className="h-21 rounded-card" />
            ))}
          </div>
          <div className="grid gap-3 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
            <Skeleton className="h-70.5 rounded-card" />
            <Skeleton className="h-70.5 rounded-card" />
          </div>
          <Skeleton className="h-118 rounded-card" />
        </div>
      </PageContent>
    </>
  );
}
