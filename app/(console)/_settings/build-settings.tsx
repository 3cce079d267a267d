"use client";

import { useState } from "react";
import { control } from "#lib/client/control.ts";
import { positiveNumber, wholeNumber } from "#lib/client/measures.ts";
import type { DeploymentRecord, SettingsPatch } from "#lib/protocol/control.ts";
import { MOST_WORKERS } from "#lib/protocol/most-workers.ts";
import { Button } from "../_ui/button.tsx";
import { CheckField, SelectField, TextField } from "../_ui/field.tsx";
import { Section } from "./section.tsx";
import { useSave } from "./use-save.ts";

const SWITCHES = [
  {
    setting: "auto_deploy",
    label: "Deploy every push",
    hint: "Each push to the repository creates a revision. A rollback turns this off.",
  },
  {
    setting: "install_scripts",
    label: "Run install scripts of packages",
    hint: "Keep this off unless a package needs it: code of every package then runs during the installation.",
  },
  {
    setting: "child_processes",
    label: "Allow child processes",
    hint: "Keep this off unless the graphs run other programs.",
  },
  {
    setting: "addons",
    label: "Allow native addons",
    hint: "Keep this off unless a package has some, such as a database driver or an image library.",
  },
] as const;

interface NumberSetting {
  setting: "workers" | "memory_mb" | "scratch_mb" | "log_mb";
  label: string;
  hint: string;
  /** Returns the number that was typed; undefined for text that is refused with `rule`. */
  read: (typed: string) => number | undefined;
  rule: string;
}

const anySize = { read: positiveNumber, rule: "Enter a number above 0" };

const NUMBERS: readonly NumberSetting[] = [
  {
    setting: "workers",
    label: "Worker processes",
    hint: "They share the runs. Runs of one thread stay in the same process.",
    read: (typed) => wholeNumber(typed, MOST_WORKERS),
    rule: `Enter a whole number from 1 to ${MOST_WORKERS}`,
  },
  { setting: "memory_mb", label: "Memory, MB", hint: "Of each process, for JavaScript objects", ...anySize },
  {
    setting: "scratch_mb",
    label: "Files, MB",
    hint: "Of all processes: home and temporary files. Above the limit, they restart without them.",
    ...anySize,
  },
  { setting: "log_mb", label: "Log, MB", hint: "Above the limit, the oldest lines are deleted", ...anySize },
];

/** The settings for build and worker, which take effect with the next revision. */
export function BuildSettings({ deployment: { name, settings } }: { deployment: DeploymentRecord }) {
  const [draft, setDraft] = useState(settings);
  const [typed, setTyped] = useState(NUMBERS.map(({ setting }) => String(settings[setting])));
  const [sleep, setSleep] = useState(String(settings.sleep_after_minutes ?? ""));
  const { save, saving, saved } = useSave();
  const numbers = NUMBERS.map(({ read }, index) => read(typed[index] ?? ""));
  const minutes = sleep.trim() === "" ? null : positiveNumber(sleep);
  const set = (change: SettingsPatch) => setDraft((before) => ({ ...before, ...change }));
  const submit = (): void =>
    save(
      () =>
        control.update(name, {
          settings: {
            ...draft,
            ...Object.fromEntries(NUMBERS.map(({ setting }, index) => [setting, numbers[index]])),
            sleep_after_minutes: minutes,
          },
        }),
      "Saved. It takes effect with the next revision.",
    );
  return (
    <Section
      id="build"
      title="Build and run"
      saved={saved}
      action={
        <Button disabled={saving || [...numbers, minutes].includes(undefined)} onClick={submit}>
          Save
        </Button>
      }
    >
      {SWITCHES.map(({ setting, label, hint }) => (
        <CheckField
          key={setting}
          label={label}
          hint={hint}
          checked={draft[setting]}
          onChange={(event) => set({ [setting]: event.target.checked })}
        />
      ))}
      <div className="grid gap-4 sm:grid-cols-3">
        {NUMBERS.map(({ setting, label, hint, rule }, index) => (
          <TextField
            key={setting}
            label={label}
            inputMode="numeric"
            value={typed[index]}
            onChange={({ target: { value } }) => setTyped(typed.with(index, value))}
            hint={hint}
            error={numbers[index] === undefined ? rule : undefined}
          />
        ))}
        <TextField
          label="Sleep after, minutes"
          inputMode="decimal"
          placeholder="never"
          value={sleep}
          onChange={(event) => setSleep(event.target.value)}
          hint="Wakes up on the next request"
          error={minutes === undefined ? "Enter a number above 0, or nothing for never" : undefined}
        />
        <SelectField
          label="Package manager"
          value={draft.package_manager ?? ""}
          onChange={({ target: { value } }) => set({ package_manager: managerOf(value) })}
          hint="Depends on the lockfile, if not set"
        >
          <option value="">From the lockfile</option>
          <option value="npm">npm</option>
          <option value="pnpm">pnpm</option>
          <option value="yarn">yarn</option>
          <option value="bun">bun</option>
        </SelectField>
      </div>
    </Section>
  );
}

function managerOf(value: string): DeploymentRecord["settings"]["package_manager"] {
  return value === "npm" || value === "pnpm" || value === "yarn" || value === "bun" ? value : null;
}
