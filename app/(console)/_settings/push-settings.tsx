"use client";

import { useState } from "react";
import { control } from "#lib/client/control.ts";
import type { DeploymentRecord } from "#lib/protocol/control.ts";
import { Button } from "../_ui/button.tsx";
import { CopyField } from "../_ui/copy-field.tsx";
import { Section } from "./section.tsx";
import { useSave } from "./use-save.ts";

/** Creates and removes the webhook for pushes. Its secret is shown once. */
export function PushSettings({ deployment: { name, has_hook, settings } }: { deployment: DeploymentRecord }) {
  const [made, setMade] = useState<{ url: string; secret: string }>();
  const { save, saving, saved } = useSave();
  const make = (): void =>
    save(async () => setMade(await control.makeHook(name)), "Created. The secret is shown only once.");
  const remove = (): void =>
    save(
      () => control.removeHook(name),
      "Removed. Pushes are no longer received.",
      () => setMade(undefined),
    );
  return (
    <Section
      id="pushes"
      title="Webhook"
      saved={saved}
      action={
        <>
          <Button disabled={saving} onClick={make}>
            {has_hook ? "Create new secret" : "Create webhook"}
          </Button>
          {has_hook ? (
            <Button variant="quiet" disabled={saving} onClick={remove}>
              Remove
            </Button>
          ) : null}
        </>
      }
    >
      <p className="text-ink-2">
        {has_hook
          ? "The repository can report its pushes to the webhook. A new secret replaces the old one."
          : "With a webhook, a push to the repository deploys it: GitHub, GitLab, Gitea and Forgejo."}
        {has_hook && !settings.auto_deploy ? " Pushes deploy nothing now: turn on “Deploy every push” above." : ""}
      </p>
      {made ? (
        <div className="flex flex-col gap-3">
          <CopyField label="Payload URL" value={made.url} hint="Content type application/json, push events" />
          <CopyField label="Secret" value={made.secret} hint="Shown only once" />
        </div>
      ) : null}
    </Section>
  );
}
