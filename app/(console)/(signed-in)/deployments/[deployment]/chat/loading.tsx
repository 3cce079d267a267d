import { TopBar } from "../../../../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../../../../_ui/skeleton.tsx";

export default function ChatLoading() {
  return (
    <div className="flex min-h-0 flex-1">
      <div className="hidden h-dvh w-66 shrink-0 flex-col gap-2 border-r border-line p-3 lg:flex">
        <Skeleton className="mb-1 h-7 w-32" />
        <Skeleton className="mb-1 h-8" />
        {["a", "b", "c", "d"].map((row) => (
          <Skeleton key={row} className="h-13" />
        ))}
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar crumbs={[{ label: "Chat" }]} />
        <main
          id="main"
          className="mx-auto flex h-[calc(100dvh-3.25rem)] w-full max-w-186 flex-col justify-end px-4 pb-4 md:pb-6"
        >
          <Loading what="the chat" />
          <Skeleton className="h-24.5 rounded-card" />
        </main>
      </div>
    </div>
  );
}
