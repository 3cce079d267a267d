import { TopBar } from "../../../../_shell/top-bar.tsx";
import { Loading, Skeleton } from "../../../../_ui/skeleton.tsx";

export default function ChatLoading() {
  return (
    <>
      <TopBar crumbs={[{ label: "Chat" }]} />
      <main
        id="main"
        className="mx-auto flex h-[calc(100dvh-3.25rem)] w-full max-w-186 flex-col justify-end px-4 pb-4 md:pb-6"
      >
        <Loading what="the chat" />
        <Skeleton className="h-24.5 rounded-card" />
      </main>
    </>
  );
}
