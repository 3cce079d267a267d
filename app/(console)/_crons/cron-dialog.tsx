"use client";

import { type FormEvent, useState } from "react";
import { localZone, scheduleFault } from "#lib/client/cron-times.ts";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { Cron } from "#lib/protocol/crons.ts";
import { emptyMessage } from "#lib/rules/forms/message-form.ts";
import { cronWords } from "#lib/rules/runs/cron-words.ts";
import { assistantOf, type RoomAssistant } from "../_rooms/room-assistant.ts";
import { Button } from "../_ui/button.tsx";
import { Dialog } from "../_ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../_ui/field.tsx";
import { useAct } from "../_ui/use-act.ts";
import { CronInput } from "./cron-input.tsx";
import NextTimes from "./next-times.tsx";

interface Draft {
  assistant: string;
  schedule: string;
  timezone: string;
  /** Undefined for none. */
  input: unknown;
  keeps: boolean;
}

/** Creates a cron, or changes one. */
export default function CronDialog({
  deployment,
  api,
  assistants,
  cron,
  onClose,
  onSaved,
}: {
  deployment: string;
  api: RoomApi;
  assistants: readonly RoomAssistant[];
  /** Undefined for a new one. */
  cron: Cron | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(cron, assistants));
  const [unreadable, setUnreadable] = useState<string>();
  const { busy, failure, act } = useAct<"save">();
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const { schedule, timezone, input } = draft;
  const zone = timezone.trim() || "UTC";
  const fault = scheduleFault(schedule, isZone(zone) ? zone : "UTC");
  const scheduleError = schedule.trim() === "" ? undefined : fault;
  const zoneError = isZone(zone) ? undefined : "This is not the name of a time zone, such as Europe/Berlin.";
  const inputError = unreadable ?? emptyMessage(input);
  const canSave = draft.assistant !== "" && [fault, zoneError, inputError].every((one) => one === undefined);

  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!canSave) return;
    const body = {
      assistant_id: draft.assistant,
      schedule: schedule.trim(),
      timezone: zone,
      input: input ?? null,
      ...(cron?.thread_id ? {} : { on_run_completed: draft.keeps ? "keep" : "delete" }),
    };
    act("save", (cron ? api.crons.change(cron.cron_id, body) : api.crons.create(body)).then(onSaved));
  };
  return (
    <Dialog open onClose={onClose} title={cron ? "Edit cron" : "New cron"}>
      <form onSubmit={save} className="flex flex-col gap-3">
        <SelectField
          label="Assistant"
          value={draft.assistant}
          onChange={(event) => change({ assistant: event.target.value })}
        >
          {assistants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Schedule"
          mono
          placeholder="30 7 * * 1-5"
          value={schedule}
          onChange={(event) => change({ schedule: event.target.value })}
          error={scheduleError}
          hint={cronWords(schedule) ?? "Minute, hour, day of the month, month, day of the week"}
        />
        <TextField
          label="Time zone"
          list="cron-zones"
          value={timezone}
          onChange={(event) => change({ timezone: event.target.value })}
          error={zoneError}
        />
        <datalist id="cron-zones">
          {Intl.supportedValuesOf("timeZone").map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
        {fault === undefined && zoneError === undefined ? (
          <section aria-label="Next times" className="rounded-control bg-well px-3 py-2">
            <NextTimes schedule={schedule} timezone={zone} />
          </section>
        ) : null}
        {draft.assistant === "" ? null : (
          <CronInput
            key={draft.assistant}
            deployment={deployment}
            assistant={draft.assistant}
            value={input}
            onChange={(value) => change({ input: value })}
            onUnreadable={setUnreadable}
          />
        )}
        {cron?.thread_id ? null : (
          <CheckField
            label="Keep the threads"
            hint="Each firing makes a thread. Without this it is deleted with its run when the run has ended."
            checked={draft.keeps}
            onChange={(event) => change({ keeps: event.target.checked })}
          />
        )}
        {failure === undefined ? null : (
          <p role="alert" className="break-words text-bad">
            {failure}
          </p>
        )}
        <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
          <output className="basis-full text-right text-small text-ink-2">{emptyMessage(input)}</output>
          <Button onClick={onClose}>Back</Button>
          <Button variant="primary" type="submit" disabled={!canSave || busy !== undefined}>
            {busy ? "Saving…" : cron ? "Save" : "Create"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function draftOf(cron: Cron | undefined, assistants: readonly RoomAssistant[]): Draft {
  if (!cron) {
    const timezone = localZone();
    return { assistant: assistants[0]?.id ?? "", schedule: "", timezone, input: undefined, keeps: true };
  }
  const { payload, schedule, timezone, assistant_id, on_run_completed } = cron;
  return {
    assistant: assistantOf(assistant_id, assistants)?.id ?? assistant_id,
    schedule,
    timezone: timezone ?? "UTC",
    input: payload.input ?? undefined,
    keeps: on_run_completed === "keep",
  };
}

function isZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
