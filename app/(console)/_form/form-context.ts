"use client";

import { createContext, useContext } from "react";

/** The problems and callbacks that all fields of one form share. */
interface FormContext {
  /** The differences from the schema, by the path of the field. */
  readonly problems: ReadonlyMap<string, string>;
  /** Tells the form that the text of a field is not JSON, with the reason; undefined when it is again. */
  readonly onUnreadable: (field: string, reason: string | undefined) => void;
}

export const FormFieldsContext = createContext<FormContext>({ problems: new Map(), onUnreadable: () => {} });

export const useForm = (): FormContext => useContext(FormFieldsContext);
