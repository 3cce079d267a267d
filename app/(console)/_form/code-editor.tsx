"use client";

import { json } from "@codemirror/lang-json";
import CodeMirror, {
  Decoration,
  type DecorationSet,
  EditorView,
  type Extension,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@uiw/react-codemirror";
import { type KeyboardEvent, useMemo } from "react";
import type { TextEditorProps } from "./text-editor-props.ts";

/** The classes of JSON's tokens. Strings of JSON have no line breaks, so that each line is read alone. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

const tokens = new MatchDecorator({
  regexp: TOKENS,
  maxLength: 2000,
  decoration: ([, text, colon]) =>
    Decoration.mark({ class: text === undefined ? "text-running" : colon === undefined ? "text-ok" : "text-accent" }),
});

/** Colours the tokens by the console's own tokens, which follow the theme. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = tokens.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = tokens.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const looks = EditorView.theme({
  "&": { backgroundColor: "var(--background)", color: "var(--ink)", fontSize: "0.78125rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono), 'Geist Mono Variable', monospace", lineHeight: "1.25rem" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--accent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-foldPlaceholder": { backgroundColor: "var(--well)", borderColor: "var(--line)", color: "var(--ink-2)" },
});

const SETUP = {
  lineNumbers: true,
  foldGutter: false,
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  syntaxHighlighting: false,
  // The editor inserts only what is typed, which helps people who type without looking.
  closeBrackets: false,
  autocompletion: false,
  searchKeymap: false,
  lintKeymap: false,
  completionKeymap: false,
};

/** Styles that a script adds need the page's nonce (lib/rules/http/content-policy.ts). */
function nonceOf(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/** The code editor for JSON, in a part of its own because it is large. */
export default function CodeEditor({
  label,
  text,
  onText,
  isInvalid,
  describedBy,
  selectionRef,
  onSubmit,
}: TextEditorProps) {
  const extensions = useMemo<Extension[]>(
    () => [
      json(),
      colours,
      looks,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(nonceOf()),
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-describedby": describedBy,
        "aria-invalid": String(isInvalid),
      }),
    ],
    [label, describedBy, isInvalid],
  );
  // The key is taken before the editor sees it, to which it means a new line.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <div onKeyDownCapture={onKey}>
      <CodeMirror
        value={text}
        onChange={onText}
        theme="none"
        indentWithTab={false}
        basicSetup={SETUP}
        extensions={extensions}
        minHeight="10rem"
        maxHeight="60dvh"
        onCreateEditor={(view) => {
          if (!selectionRef.current) return;
          const [anchor, head] = selectionRef.current.map((at) => Math.min(at, view.state.doc.length));
          view.dispatch({ selection: { anchor: anchor ?? 0, head } });
          view.focus();
        }}
        className="overflow-hidden rounded-control border border-line-strong"
      />
    </div>
  );
}
