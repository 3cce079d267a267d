"use client";

import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import { type FieldDrafts, fieldPath, liveDrafts, NO_DRAFTS, withDraft } from "#lib/rules/forms/field-drafts.ts";
import { rootField } from "#lib/rules/forms/schema-field.ts";
import { type FieldProblem, pathText, problemsOf } from "#lib/rules/forms/schema-problems.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { Segments } from "../_ui/segments.tsx";
import { FieldView } from "./field-view.tsx";
import { type FormContext, FormFieldsContext } from "./form-context.ts";
import { JsonEditor } from "./json-editor.tsx";

export interface SchemaFormProps {
  /** The accessible name of the form. */
  readonly label: string;
  /** A JSON Schema; null if there is none. */
  readonly schema: unknown;
  /** Any JSON value; undefined for none. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called with the reason while a text of the form is not JSON, so that `value` is not what is seen. */
  readonly onUnreadable?: (reason: string | undefined) => void;
  /** Called for Ctrl+Enter and Cmd+Enter, unless a text is not JSON. */
  readonly onSubmit?: () => void;
  /**
   * Text of the JSON tab that is not JSON. A page that keeps it shows it again when the form comes back, and drops it
   * whenever the value changes.
   */
  readonly unreadText?: string | undefined;
  /** Called with such a text, and with undefined when it is discarded. */
  readonly onUnreadText?: (text: string | undefined) => void;
  /** Texts of single fields that are not JSON. A page that keeps them shows them again when the form comes back. */
  readonly drafts?: FieldDrafts | undefined;
  readonly onDrafts?: (drafts: FieldDrafts) => void;
  /** Problems that a server has found, beside the differences from the schema. */
  readonly problems?: readonly FieldProblem[];
  /** Hides the list of differences below the form. They stand at the fields in any case. */
  readonly compact?: boolean;
}

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

const RAW = "raw";
const NONE: readonly FieldProblem[] = [];

/** A form for the values of a JSON Schema, with the same value as JSON in a second tab. */
export function SchemaForm(props: SchemaFormProps) {
  const { label, schema, value, onChange, onUnreadable, onSubmit, problems: given = NONE, compact = false } = props;
  const { unreadText, onUnreadText } = props;
  const field = useMemo(() => rootField(schema), [schema]);
  const [view, setView] = useState<"form" | "json">(() =>
    field.kind === "json" || unreadText !== undefined ? "json" : "form",
  );
  // Once opened, the editor stays, with text in it that is not JSON.
  const [isRawOpened, setRawOpened] = useState(view === "json");
  const [unreadable, setUnreadable] = useState<ReadonlyMap<string, string>>(new Map());
  const [discarded, setDiscarded] = useState(0);
  const { drafts, onDraft, discardDrafts } = useDrafts(props);
  const problems = useMemo(() => [...problemsOf(field, value), ...given], [field, value, given]);

  const report = useCallback((at: string, reason: string | undefined) => {
    setUnreadable((before) => {
      if (before.get(at) === reason) return before;
      const next = new Map(before);
      if (reason === undefined) next.delete(at);
      else next.set(at, reason);
      return next;
    });
  }, []);
  const onRaw = useCallback((reason: string | undefined) => report(RAW, reason), [report]);
  const [inPage] = unreadable.values();
  // The fields are in the page only while the form is shown.
  const [hidden] = view === "json" ? drafts : [];
  const reason = inPage ?? hidden?.[1].reason;
  const tell = useEffectEvent((found: string | undefined) => onUnreadable?.(found));
  useEffect(() => {
    tell(reason);
    return () => tell(undefined);
  }, [reason]);

  const context = useMemo(
    () => ({
      problems: new Map(problems.map(({ path, message }) => [pathText(path), message])),
      onUnreadable: report,
      drafts,
      onDraft,
    }),
    [problems, report, drafts, onDraft],
  );
  const submit = (): void => {
    if (reason === undefined) onSubmit?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    submit();
  };
  const rawReason = unreadable.get(RAW);
  return (
    // The keys reach this group from the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset aria-label={label} onKeyDown={onKeyDown} className="flex min-w-0 flex-col gap-3">
      {field.kind === "json" ? null : (
        <Segments
          label={`${label} as`}
          options={VIEWS}
          value={view}
          onValue={(next) => {
            setView(next);
            if (next === "json") setRawOpened(true);
          }}
        />
      )}
      {view === "form" && rawReason !== undefined ? (
        <UnreadNotice
          onDiscard={() => {
            setDiscarded(discarded + 1);
            onUnreadText?.(undefined);
          }}
        >
          The JSON tab holds text that is not JSON. {rawReason} The form has the last value that could be read.
        </UnreadNotice>
      ) : null}
      {view === "json" && hidden ? (
        <UnreadNotice onDiscard={discardDrafts}>
          The field {pathText(fieldPath(hidden[0]))} of the form holds text that is not JSON. {hidden[1].reason} This
          tab has its last value that could be read.
        </UnreadNotice>
      ) : null}
      {view === "form" ? (
        <FormFieldsContext value={context}>
          <FieldView field={field} path={[]} value={value} onChange={onChange} />
        </FormFieldsContext>
      ) : null}
      {isRawOpened ? (
        <div hidden={view !== "json"}>
          <JsonEditor
            key={discarded}
            label={`${label} as JSON`}
            value={value}
            onChange={onChange}
            onUnreadable={onRaw}
            onSubmit={submit}
            startText={unreadText}
            onUnreadText={onUnreadText}
          />
        </div>
      ) : null}
      {compact ? null : <Problems problems={problems} />}
    </fieldset>
  );
}

/** Keeps the texts of single fields that are not JSON, while their fields still have their values. */
function useDrafts({ value, drafts: given = NO_DRAFTS, onDrafts }: SchemaFormProps) {
  const [all, setAll] = useState(given);
  const drafts = useMemo(() => liveDrafts(all, value), [all, value]);
  if (drafts !== all) setAll(drafts);
  const tell = useEffectEvent((found: FieldDrafts) => onDrafts?.(found));
  useEffect(() => tell(drafts), [drafts]);
  const onDraft = useCallback<FormContext["onDraft"]>(
    (key, draft) => setAll((before) => withDraft(before, key, draft)),
    [],
  );
  return { drafts, onDraft, discardDrafts: () => setAll(NO_DRAFTS) };
}

/** Says that a part of the form that is not shown holds text that is not JSON. */
function UnreadNotice({ onDiscard, children }: { onDiscard: () => void; children: ReactNode }) {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-bad">
      {children}
      <Button onClick={onDiscard}>Discard that text</Button>
    </p>
  );
}

const LISTED = 5;

function Problems({ problems }: { problems: readonly FieldProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <details className="text-small text-waiting">
      <summary className="w-fit rounded-key">
        {counted(problems.length, "difference")} from the schema. You can go on all the same.
      </summary>
      <ul className="mt-1 list-disc pl-5">
        {problems.slice(0, LISTED).map(({ path, message }) => (
          <li key={`${pathText(path)} ${message}`}>
            {path.length > 0 ? <code className="font-mono">{pathText(path)}</code> : null} {message}
          </li>
        ))}
        {problems.length > LISTED ? <li>and {problems.length - LISTED} more</li> : null}
      </ul>
    </details>
  );
}
