"use client";

import type { DeploymentRecord } from "#lib/protocol/control.ts";
import type { Variable } from "#lib/protocol/variables.ts";
import { isInPlace } from "#lib/rules/sources/in-place.ts";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { Notice } from "../_ui/notice.tsx";
import { BuildSettings } from "./build-settings.tsx";
import { DangerZone } from "./danger-zone.tsx";
import { EnvironmentSettings } from "./environment-settings.tsx";
import { PushSettings } from "./push-settings.tsx";
import { SourceSettings } from "./source-settings.tsx";

export function Settings({
  deployment,
  variables,
  folders,
}: {
  deployment: DeploymentRecord;
  variables: readonly Variable[];
  folders: boolean;
}) {
  const { name, source } = deployment;
  const inPlace = isInPlace(source);
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(name, "Settings")} />
      <PageContent>
        <div className="mx-auto flex max-w-180 flex-col gap-6">
          <h1 className="text-title font-semibold">Settings</h1>
          {inPlace ? (
            <Notice tone="neutral" title="This deployment is the application that the server was started with">
              It is served in place from <code className="font-mono text-code wrap-anywhere">{source.path}</code>. To
              serve another one, start the server with{" "}
              <code className="font-mono text-code">npm start -- --app ../my-app</code>.
            </Notice>
          ) : (
            <SourceSettings deployment={deployment} folders={folders} />
          )}
          <EnvironmentSettings deployment={name} variables={variables} />
          {inPlace ? null : <BuildSettings deployment={deployment} />}
          {source.type === "git" ? <PushSettings deployment={deployment} /> : null}
          <DangerZone deployment={deployment} deletable={name !== "default"} />
        </div>
      </PageContent>
    </>
  );
}
