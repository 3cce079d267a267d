import type { RefObject } from "react";

/** The props of the code editor, and of the text area that takes its place until it has loaded. */
export interface TextEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  /** The last selection in the text area, which the code editor takes over, with the focus if it is there. */
  readonly selectionRef: RefObject<
    { readonly range: readonly [number, number]; readonly hasFocus: boolean } | undefined
  >;
  /** Called for Ctrl+Enter or Cmd+Enter. */
  readonly onSubmit?: (() => void) | undefined;
}
