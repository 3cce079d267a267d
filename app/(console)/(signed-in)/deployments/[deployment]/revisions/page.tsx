import type { Metadata } from "next";
import { deploysPushes } from "#lib/engine/control/hooks.ts";
import { listRevisions } from "#lib/engine/control/revisions.ts";
import { running } from "#lib/platform.ts";
import { isInPlace } from "#lib/rules/sources/in-place.ts";
import { Revisions } from "../../../../_revisions/revisions.tsx";
import { storedDeploymentOf } from "../../../../_shell/deployment.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";

type Props = PageProps<"/deployments/[deployment]/revisions">;

const PAGE = 25;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Revisions · ${decodeURIComponent((await params).deployment)}` };
}

export default async function RevisionsPage({ params, searchParams }: Props) {
  const { control, platform } = running();
  const deployment = await storedDeploymentOf(params);
  const requested = Number((await searchParams).before);
  const before = Number.isSafeInteger(requested) && requested > 0 ? requested : undefined;
  const revisions = await listRevisions(control, deployment, { limit: PAGE, ...(before !== undefined && { before }) });
  const { name, live, source } = deployment;
  return (
    <RenderTime now={platform.clock.now()}>
      <Revisions
        deployment={name}
        live={live}
        inPlace={isInPlace(source)}
        deploysPushes={await deploysPushes(control, deployment)}
        revisions={revisions}
        older={revisions.length === PAGE ? revisions.at(-1)?.number : undefined}
      />
    </RenderTime>
  );
}
