"use client";

import { useState } from "react";
import { control } from "#lib/client/control.ts";
import type { TypedVariable } from "#lib/client/env-text.ts";
import type { Variable } from "#lib/protocol/variables.ts";
import { areNamed, VariablesForm } from "../_new-deployment/variables-form.tsx";
import { Button } from "../_ui/button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Section } from "./section.tsx";
import { useSave } from "./use-save.ts";

const APPLIED = "Saved. The worker restarts with them, without a new build.";

/** Edits environment variables. Secrets are shown by name only. A change restarts the worker with the same build. */
export function EnvironmentSettings({ deployment, variables }: { deployment: string; variables: readonly Variable[] }) {
  const [rows, setRows] = useState<readonly TypedVariable[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const { save, saving, saved } = useSave();
  const named = rows.filter((row) => row.name !== "");
  const submit = (): void => {
    const values: Record<string, string | null> = Object.fromEntries(removed.map((name) => [name, null]));
    for (const { name, value } of named) values[name] = value;
    save(
      () => control.setVariables(deployment, { variables: values }),
      APPLIED,
      () => {
        setRows([]);
        setRemoved([]);
      },
    );
  };
  const toggle = (name: string): void =>
    setRemoved((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before, name]));
  return (
    <Section
      id="environment"
      title="Environment variables"
      saved={saved}
      action={
        <Button disabled={saving || !areNamed(rows) || named.length + removed.length === 0} onClick={submit}>
          {saving ? "Saving…" : "Save and restart"}
        </Button>
      }
    >
      <p className="text-ink-2">Stored encrypted. Secrets are never shown again. To change one, add it again.</p>
      {variables.length > 0 ? (
        <ul className="rounded-control border border-line">
          {variables.map((one) => (
            <li key={one.name} className="flex min-h-11 items-center gap-3 border-b border-line px-3 last:border-b-0">
              <span
                className={`min-w-0 flex-1 truncate font-mono text-code ${removed.includes(one.name) ? "text-ink-3 line-through" : ""}`}
              >
                {one.name}
                {one.value === null ? null : <span className="text-ink-3">={one.value}</span>}
              </span>
              <span className="hidden text-small text-ink-3 sm:inline">
                {one.secret ? "secret" : "plain"} · set <Moment at={one.updated_at} />
              </span>
              <Button
                variant="quiet"
                aria-label={removed.includes(one.name) ? `Keep ${one.name}` : `Remove ${one.name}`}
                onClick={() => toggle(one.name)}
              >
                {removed.includes(one.name) ? "Keep" : "Remove"}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-2">No variables yet.</p>
      )}
      <VariablesForm rows={rows} onRows={setRows} />
    </Section>
  );
}
