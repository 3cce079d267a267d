"use client";

import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { PageContent, TopBar } from "./top-bar.tsx";

export interface FailureProps {
  readonly error: Error & { digest?: string };
  /** Renders the page again. */
  readonly reset: () => void;
}

/** Replaces a page that could not be rendered. The server log has the cause under the digest. */
export function Failure({ error, reset }: FailureProps) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }, { label: "Failed" }]} />
      <PageContent>
        <Notice
          tone="bad"
          title="This page could not be loaded"
          action={
            <>
              <Button variant="primary" onClick={retry}>
                Try again
              </Button>
              <ButtonLink href="/" variant="outline">
                All deployments
              </ButtonLink>
            </>
          }
        >
          {error.digest ? (
            <span className="flex flex-wrap items-center gap-2">
              The server log has the details under the digest
              <code className="font-mono text-code text-ink">{error.digest}</code>
              <CopyButton text={error.digest} label="Copy the digest" />
            </span>
          ) : (
            error.message
          )}
        </Notice>
      </PageContent>
    </>
  );
}
