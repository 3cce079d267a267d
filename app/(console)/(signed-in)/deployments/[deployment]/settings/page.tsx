import type { Metadata } from "next";
import { shownDeployment } from "#lib/engine/control/deployments.ts";
import { getEnvironment } from "#lib/engine/control/environment.ts";
import { running } from "#lib/platform.ts";
import { Settings } from "../../../../_settings/settings.tsx";
import { storedDeploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf } from "../../../../_shell/server.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";

type Props = PageProps<"/deployments/[deployment]/settings">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settings · ${decodeURIComponent((await params).deployment)}` };
}

export default async function SettingsPage({ params }: Props) {
  const { control, platform, settings } = running();
  const stored = await storedDeploymentOf(params);
  const [shown, variables, { api }] = await Promise.all([
    shownDeployment(platform, control, stored),
    getEnvironment(control, stored.deployment_id),
    addressesOf(stored.name),
  ]);
  return (
    <RenderTime now={platform.clock.now()}>
      <Settings deployment={{ ...shown, api_url: api }} variables={variables} folders={settings.localSources} />
    </RenderTime>
  );
}
