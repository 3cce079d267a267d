"use client";

import { useState } from "react";
import { control } from "#lib/client/control.ts";
import type { DeploymentRecord } from "#lib/protocol/control.ts";
import { Detected } from "../_new-deployment/detected.tsx";
import { credentialsOf, draftOf, settledDraft, sourceOf, withFolder } from "../_new-deployment/source-draft.ts";
import { SourceForm } from "../_new-deployment/source-form.tsx";
import { usePreflight } from "../_new-deployment/use-preflight.ts";
import { Redeploy } from "../_revisions/redeploy.tsx";
import { Button } from "../_ui/button.tsx";
import { CheckField } from "../_ui/field.tsx";
import { Section } from "./section.tsx";
import { useSave } from "./use-save.ts";

/** Edits the source, which takes effect with the next revision. */
export function SourceSettings({
  deployment: { name, source: stored, has_credentials },
  folders,
}: {
  deployment: DeploymentRecord;
  folders: boolean;
}) {
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [forget, setForget] = useState(false);
  const { save, saving, saved } = useSave();
  const source = sourceOf(draft);
  const isChanged = JSON.stringify(source) !== JSON.stringify(sourceOf(draftOf(stored)));
  // The stored source was checked when it was deployed, with credentials that this page does not have.
  const preflight = usePreflight(isChanged ? source : undefined, credentialsOf(draft), [], (seen) =>
    setDraft((now) => settledDraft(now, seen)),
  );
  const credentials = credentialsOf(draft) ?? (forget ? null : undefined);
  const submit = (): void => {
    if (!source) return;
    const patch = { source, ...(credentials !== undefined && { credentials }) };
    save(() => control.update(name, patch), "Saved. It takes effect with the next revision.");
  };
  return (
    <Section
      id="source"
      title="Source"
      saved={saved}
      action={
        <>
          <Button disabled={saving || !source || (!isChanged && credentials === undefined)} onClick={submit}>
            Save source
          </Button>
          <Redeploy deployment={name} />
        </>
      }
    >
      <SourceForm draft={draft} onDraft={setDraft} folders={folders} />
      {has_credentials ? (
        <CheckField
          label="Delete the stored credentials"
          hint="They are used unless you enter others here."
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
      ) : null}
      {isChanged ? <Detected preflight={preflight} onFolder={(folder) => setDraft(withFolder(draft, folder))} /> : null}
    </Section>
  );
}
