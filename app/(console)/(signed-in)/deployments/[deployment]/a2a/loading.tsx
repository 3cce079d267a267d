import { PageContent, TopBar } from "../../../../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../../../../_ui/skeleton.tsx";

export default function A2aLoading() {
  return (
    <>
      <TopBar crumbs={[{ label: "A2A" }]} />
      <PageContent>
        <Loading what="the A2A page" />
        <div className="flex flex-col gap-5">
          <Skeleton className="h-12 w-72" />
          <Skeleton className="h-52 rounded-card lg:h-32" />
          <Skeleton className="h-96 rounded-card" />
        </div>
      </PageContent>
    </>
  );
}
