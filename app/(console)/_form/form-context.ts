"use client";

import { createContext, useContext } from "react";
import { type FieldDraft, type FieldDrafts, NO_DRAFTS } from "#lib/rules/forms/field-drafts.ts";

/** The problems and callbacks that all fields of one form share. */
export interface FormContext {
  /** The differences from the schema, by the path of the field. */
  readonly problems: ReadonlyMap<string, string>;
  /** Tells the form that the text of a field is not JSON, with the reason; undefined when it is again. */
  readonly onUnreadable: (field: string, reason: string | undefined) => void;
  /** Texts that were not JSON when their fields left the page. */
  readonly drafts: FieldDrafts;
  /** Keeps the text of a field that is not JSON; undefined when it is again. */
  readonly onDraft: (key: string, draft: FieldDraft | undefined) => void;
}

export const FormFieldsContext = createContext<FormContext>({
  problems: new Map(),
  onUnreadable: () => {},
  drafts: NO_DRAFTS,
  onDraft: () => {},
});

export const useForm = (): FormContext => useContext(FormFieldsContext);
