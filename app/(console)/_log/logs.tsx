"use client";

import { useRouter } from "next/navigation";
import { useFollow } from "../_shell/live.tsx";
import { deploymentCrumbs, TopBar } from "../_shell/top-bar.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Select } from "../_ui/select.tsx";
import { LazyLogView } from "./lazy-log-view.tsx";
import { useLogLines } from "./use-log-lines.ts";

/** Shows the server log of a deployment, or the build log of a revision. */
export function Logs({
  deployment,
  revision,
  revisions,
  live,
}: {
  deployment: string;
  /** The revision whose build log is shown; undefined for the server log. */
  revision: number | undefined;
  revisions: readonly number[];
  live: number | null;
}) {
  const router = useRouter();
  const base = deploymentPath(deployment);
  const log = useLogLines(revision === undefined ? `${base}/log` : `${base}/revisions/${revision}/log`);
  const subject =
    revision === undefined
      ? { deployment, log: "server" as const }
      : { deployment, revision, log: "build" as const, after: -1 };
  useFollow(subject, { onLines: log.add });
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, "Logs")} />
      <main id="main" tabIndex={-1} className="flex min-h-0 w-full flex-1 flex-col px-4 py-4 outline-none md:px-6">
        <LazyLogView
          log={log}
          heading="h1"
          title={revision === undefined ? "Server log" : `Build log of revision ${revision}`}
          file={`${deployment}${revision === undefined ? "" : `-revision-${revision}`}.log`}
          empty={
            revision === undefined
              ? live === null
                ? "The server log appears once a revision starts."
                : "No output yet. What the application writes to its standard output appears here as it comes."
              : "This revision has no build log."
          }
          className="h-[calc(100dvh-6rem)]"
        >
          <Select
            label="Log"
            value={revision ?? ""}
            onChange={({ target: { value } }) => router.push(`${base}/logs${value === "" ? "" : `?revision=${value}`}`)}
          >
            <option value="">Server</option>
            {revisions.map((number) => (
              <option key={number} value={number}>
                Build of revision {number}
              </option>
            ))}
          </Select>
        </LazyLogView>
      </main>
    </>
  );
}
