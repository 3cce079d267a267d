import type { Metadata } from "next";
import { viewDeployments } from "#lib/engine/deployments.ts";
import { platform } from "#lib/platform.ts";
import { DeploymentList } from "../../_deployments/deployment-list.tsx";
import { firstMinute } from "../../_deployments/first-minute-state.ts";
import { addressesOf } from "../../_shell/server.ts";
import { requireSession } from "../../_shell/session.ts";
import { RenderTime } from "../../_ui/moment.tsx";

export const metadata: Metadata = { title: "Deployments" };

export default async function DeploymentsPage() {
  await requireSession("/");
  const views = viewDeployments(platform());
  const rows = await Promise.all(views.map(async (view) => ({ view, api: (await addressesOf(view.name)).api })));
  return (
    <RenderTime now={platform().clock.now()}>
      <DeploymentList rows={rows} steps={await firstMinute(platform())} />
    </RenderTime>
  );
}
