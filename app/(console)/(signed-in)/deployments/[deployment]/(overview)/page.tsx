import { MessageCircle } from "lucide-react";
import type { Metadata } from "next";
import { Suspense } from "react";
import { recentIncidents, runCounts, viewDeployment } from "#lib/engine/deployments.ts";
import { platform } from "#lib/platform.ts";
import { Counters } from "../../../../_deployments/counters.tsx";
import { GraphsCard } from "../../../../_deployments/graphs-card.tsx";
import { Health } from "../../../../_deployments/health.tsx";
import { Incidents } from "../../../../_deployments/incidents.tsx";
import { Problems } from "../../../../_deployments/problems.tsx";
import { QuickStartSlot } from "../../../../_deployments/quick-start-slot.tsx";
import { Refresh } from "../../../../_deployments/refresh.tsx";
import { Servers } from "../../../../_deployments/servers.tsx";
import { Title } from "../../../../_deployments/title.tsx";
import { FailedRevision, RevisionInProgress } from "../../../../_deployments/revision-notices.tsx";
import { Urls } from "../../../../_deployments/urls.tsx";
import { Redeploy } from "../../../../_revisions/redeploy.tsx";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf } from "../../../../_shell/server.ts";
import { PageContent, TopBar } from "../../../../_shell/top-bar.tsx";
import { ButtonLink } from "../../../../_ui/button.tsx";
import { deploymentPath } from "../../../../_ui/deployment-path.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";
import { Skeleton } from "../../../../_ui/skeleton.tsx";

type Props = PageProps<"/deployments/[deployment]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await deploymentOf(params)).name };
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const deployment = await deploymentOf(params);
  const { graph: requested } = await searchParams;
  const view = viewDeployment(deployment);
  const [counts, incidents, addresses] = await Promise.all([
    runCounts(platform(), deployment),
    recentIncidents(deployment),
    addressesOf(deployment.name),
  ]);
  const chosen =
    view.graphs.find((one) => one.graph === requested) ?? view.graphs.find((one) => !one.error) ?? view.graphs[0];
  return (
    <RenderTime now={platform().clock.now()}>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }, { label: view.name }]}>
        {chosen ? (
          <ButtonLink href={`${deploymentPath(view.name)}/chat`}>
            <MessageCircle /> <span className="max-sm:sr-only">Open chat</span>
          </ButtonLink>
        ) : null}
        <Redeploy deployment={view.name} variant="outline" />
      </TopBar>
      <PageContent>
        <Refresh deployment={view.name} />
        <div className="flex flex-col gap-5">
          <Title view={view} />
          <RevisionInProgress view={view} />
          <FailedRevision view={view} problem={deployment.lifecycle.newest?.problem} />
          <Problems view={view} />
          <Urls
            addresses={addresses}
            ownRoutes={deployment.config?.http.app !== undefined}
            a2a={view.a2a}
            assistant={chosen?.graph}
          />
          {view.live ? <Counters counts={counts} worker={view.worker} /> : null}
          <div
            className={`grid grid-cols-[minmax(0,1fr)] gap-3 ${chosen ? "lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]" : ""}`}
          >
            {chosen ? (
              <Suspense fallback={<Skeleton className="h-70.5 w-full rounded-card" />}>
                <QuickStartSlot deployment={deployment} graph={chosen.graph} addresses={addresses} />
              </Suspense>
            ) : null}
            {view.live ? <Health worker={view.worker} incidents={incidents} /> : null}
          </div>
          <Servers view={view} />
          {chosen ? <GraphsCard deployment={deployment} graphs={view.graphs} chosen={chosen} /> : null}
          <Incidents incidents={incidents} />
        </div>
      </PageContent>
    </RenderTime>
  );
}
