"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { control, failureMessage } from "#lib/client/control.ts";
import type { TypedVariable } from "#lib/client/env-text.ts";
import { LONGEST_NAME, nameProblem } from "#lib/protocol/names.ts";
import { nameFrom } from "#lib/rules/revisions/deployment-name.ts";
import { PageContent, TopBar } from "../_shell/top-bar.tsx";
import { Button } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { TextField } from "../_ui/field.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Detected } from "./detected.tsx";
import { credentialsOf, NEW_SOURCE, settledDraft, type SourceDraft, sourceOf, withFolder } from "./source-draft.ts";
import { SourceForm } from "./source-form.tsx";
import { reportOf, usePreflight } from "./use-preflight.ts";
import { areNamed, VariablesForm } from "./variables-form.tsx";

interface NewDeploymentProps {
  /** `http://localhost:2024/agents/` */
  apiRoot: string;
  folders: boolean;
  taken: readonly string[];
  /** The repository URL to start with. */
  url: string;
}

/** The form for a new deployment: source, detected settings, environment variables and name. */
export function NewDeployment({ apiRoot, folders, taken, url }: NewDeploymentProps) {
  const [draft, setDraft] = useState<SourceDraft>({ ...NEW_SOURCE, url });
  const [rows, setRows] = useState<readonly TypedVariable[]>([]);
  const [typedName, setTypedName] = useState<string>();
  const source = sourceOf(draft);
  const names = rows.filter((row) => row.name !== "" && row.value !== "").map((row) => row.name);
  const preflight = usePreflight(source, credentialsOf(draft), names, (seen) =>
    setDraft((now) => settledDraft(now, seen)),
  );
  const report = reportOf(preflight);
  const name = typedName ?? (source ? freeName(nameFrom(source), taken) : "");
  const refusedName = problemOf(name, taken);
  const { deploy, deploying, refused } = useDeploy();

  const blocked =
    source === undefined ||
    refusedName !== undefined ||
    name === "" ||
    deploying ||
    !areNamed(rows) ||
    (preflight.state === "done" && !preflight.report.ok);
  const submit = (): void => {
    if (blocked) return;
    const variables = Object.fromEntries(rows.filter((row) => row.name !== "").map((row) => [row.name, row.value]));
    const credentials = credentialsOf(draft);
    deploy({ name, source, environment: { variables, plain: [] }, ...(credentials && { credentials }) });
  };
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }, { label: "New deployment" }]} />
      <PageContent>
        <form
          className="mx-auto flex max-w-180 flex-col gap-8"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <h1 className="text-title font-semibold">New deployment</h1>
          <Step number={1} title="Source">
            <SourceForm draft={draft} onDraft={setDraft} folders={folders} />
          </Step>
          <Step number={2} title="Detected">
            <Detected preflight={preflight} onFolder={(folder) => setDraft(withFolder(draft, folder))} />
          </Step>
          <Step number={3} title="Environment variables">
            <p className="mb-3 text-ink-2">Values are stored encrypted and never shown again.</p>
            <VariablesForm rows={rows} onRows={setRows} detected={report?.variables ?? []} />
          </Step>
          <Step number={4} title="Name">
            <TextField
              label="Name"
              mono
              value={name}
              onChange={(event) => setTypedName(event.target.value.toLowerCase())}
              hint={
                <>
                  API URL: <span className="font-mono text-code wrap-anywhere">{apiRoot + (name || "…")}</span>
                </>
              }
              error={refusedName}
            />
          </Step>
          {refused === undefined ? null : <Notice tone="bad" title={refused} />}
          <div className="flex flex-wrap items-center gap-3 border-t border-line pt-5 pb-8">
            <Button type="submit" variant="primary" disabled={blocked}>
              {deploying ? "Deploying…" : "Deploy"}
            </Button>
            <p className="text-ink-2">
              {hintOf(preflight.state === "done" ? preflight.report.ok : undefined, source !== undefined)}
            </p>
          </div>
        </form>
      </PageContent>
    </>
  );
}

function useDeploy() {
  const router = useRouter();
  const [deploying, setDeploying] = useState(false);
  const [refused, setRefused] = useState<string>();
  const deploy = (what: Parameters<typeof control.create>[0]): void => {
    setDeploying(true);
    setRefused(undefined);
    void control
      .create(what)
      .then(({ name }) => router.push(`${deploymentPath(name)}/revisions/1`))
      .catch((thrown: unknown) => {
        setRefused(failureMessage(thrown));
        setDeploying(false);
      });
  };
  return { deploy, deploying, refused };
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className="flex size-7 items-center justify-center rounded-full border border-line-strong text-small font-medium text-ink-2"
      >
        {number}
      </span>
      <h2 className="self-center font-semibold">{title}</h2>
      <div className="col-start-2 mt-3 max-sm:col-start-1 max-sm:col-end-3">{children}</div>
    </section>
  );
}

function hintOf(ok: boolean | undefined, known: boolean): string {
  if (!known) return "Enter a source first.";
  if (ok === false) return "Fix the errors above first.";
  return "The next page shows the build.";
}

function problemOf(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return undefined;
  return taken.includes(name) ? "A deployment with this name already exists." : nameProblem(name);
}

/** Returns `bot`, or `bot-2` if that is taken. */
function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name.slice(0, LONGEST_NAME - 4)}-${number}`;
    if (!taken.includes(free)) return free;
  }
}
