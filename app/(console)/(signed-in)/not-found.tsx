import type { Metadata } from "next";
import { ButtonLink } from "../_ui/button.tsx";
import { PageContent, TopBar } from "../_shell/top-bar.tsx";
import { Notice } from "../_ui/notice.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function DeploymentNotFound() {
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }, { label: "Not found" }]} />
      <PageContent>
        <Notice
          tone="neutral"
          title="No deployment has this name"
          action={<ButtonLink href="/">All deployments</ButtonLink>}
        >
          It may have been renamed or deleted.
        </Notice>
      </PageContent>
    </>
  );
}
