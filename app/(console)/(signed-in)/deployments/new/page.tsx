import type { Metadata } from "next";
import { platform, running } from "#lib/platform.ts";
import { NewDeployment } from "../../../_new-deployment/new-deployment.tsx";
import { addressesOf } from "../../../_shell/server.ts";
import { requireSession } from "../../../_shell/session.ts";

export const metadata: Metadata = { title: "New deployment" };

export default async function NewDeploymentPage({ searchParams }: PageProps<"/deployments/new">) {
  await requireSession("/deployments/new");
  const { url } = await searchParams;
  const { api } = await addressesOf("x");
  return (
    <NewDeployment
      apiRoot={api.slice(0, -1)}
      folders={running().settings.localSources}
      taken={platform()
        .list()
        .map((one) => one.name)}
      url={typeof url === "string" ? url : ""}
    />
  );
}
