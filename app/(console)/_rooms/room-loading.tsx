import { TopBar } from "../_shell/top-bar.tsx";
import { TableSkeleton } from "../_table/table-skeleton.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";

/** Takes the place of a page with a table, in the same measures. */
export function RoomLoading({ title }: { title: string }) {
  return (
    <>
      <TopBar crumbs={[{ label: title }]} />
      <main id="main" className="flex h-[calc(100dvh-3.25rem)] w-full max-w-360 flex-col gap-3 px-4 py-4 md:px-6">
        <Loading what={`the ${title.toLowerCase()}`} />
        <h1 className="flex h-8 items-center text-title font-semibold">{title}</h1>
        <Skeleton className="h-8" />
        <TableSkeleton />
      </main>
    </>
  );
}
