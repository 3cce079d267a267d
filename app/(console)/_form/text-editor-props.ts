import type { RefObject } from "react";

/** The props of the code editor, and of the text area that takes its place until it has loaded. */
export interface TextEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  /** The selection in the text area while it has the focus. The code editor takes it over. */
  readonly selectionRef: RefObject<readonly [number, number] | undefined>;
  /** Called for Ctrl+Enter or Cmd+Enter. */
  readonly onSubmit?: (() => void) | undefined;
}
