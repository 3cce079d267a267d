import { PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Notice } from "../_ui/notice.tsx";

export function NoAssistants({ deployment }: { deployment: string }) {
  const base = deploymentPath(deployment);
  return (
    <>
      <TopBar crumbs={[{ label: deployment, href: base }, { label: "Chat" }]} />
      <PageContent>
        <h1 className="sr-only">Chat</h1>
        <Notice
          tone="neutral"
          title="No assistant to chat with"
          action={<ButtonLink href={base}>See why on the overview</ButtonLink>}
        >
          This deployment has no graphs.
        </Notice>
      </PageContent>
    </>
  );
}
