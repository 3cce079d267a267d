import type { Metadata } from "next";
import { PageLink } from "./(console)/_ui/page-link.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col items-start justify-center gap-3 p-6">
      <p className="font-mono text-code text-ink-3">404</p>
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="text-ink-2">There is no page and no API route at this URL.</p>
      <PageLink
        href="/"
        className="mt-2 inline-flex h-8 items-center rounded-control bg-ink px-3 font-medium text-background hover:bg-ink/88"
      >
        Go to the deployments
      </PageLink>
    </main>
  );
}
