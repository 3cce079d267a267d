"use client";

import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { NamespaceTree } from "./namespace-pane.tsx";
import type { useNamespaces } from "./use-namespaces.ts";

/** The namespaces, or why they could not be read. */
export default function NamespaceSection({
  namespaces,
  current,
  onOpen,
}: {
  namespaces: ReturnType<typeof useNamespaces>;
  current: readonly string[];
  onOpen: (path: readonly string[]) => void;
}) {
  return (
    <>
      <div className="flex h-12 shrink-0 items-center px-4 font-semibold">Namespaces</div>
      {namespaces.failure === undefined ? null : (
        <div className="px-3 pb-3">
          <LoadFailure what="The namespaces" onRetry={() => void namespaces.refresh()}>
            {namespaces.failure}
          </LoadFailure>
        </div>
      )}
      {namespaces.page ? (
        <NamespaceTree page={namespaces.page} current={current} onOpen={onOpen} />
      ) : namespaces.failure === undefined ? (
        <div className="px-4">
          <Loading what="the namespaces" className="h-32" />
        </div>
      ) : null}
      {namespaces.more ? (
        <Button variant="quiet" onClick={namespaces.more} className="m-2">
          Show more namespaces
        </Button>
      ) : null}
    </>
  );
}
