import { TopBar } from "../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";

/** Takes the place of a page with panes, in the same measures. */
export function PaneLoading({ title }: { title: string }) {
  return (
    <>
      <TopBar crumbs={[{ label: title }]} />
      <main id="main" className="flex h-[calc(100dvh-3.25rem)] w-full">
        <h1 className="sr-only">{title}</h1>
        <Loading what={`the ${title.toLowerCase()}`} />
        <div className="w-full border-r border-line p-4 lg:w-64">
          <Skeleton className="h-40" />
        </div>
        <div className="hidden flex-1 p-4 lg:block">
          <Skeleton className="h-80" />
        </div>
      </main>
    </>
  );
}
