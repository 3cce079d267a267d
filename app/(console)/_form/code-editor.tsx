"use client";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldKeymap, indentOnInput } from "@codemirror/language";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  rectangularSelection,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef } from "react";
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
  "&": { backgroundColor: "var(--background)", color: "var(--ink)", fontSize: "0.78125rem", maxHeight: "60dvh" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono), 'Geist Mono Variable', monospace", lineHeight: "1.25rem" },
  ".cm-content, .cm-gutter": { minHeight: "10rem" },
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

/** The extensions of every editor. They insert only what is typed, and leave Tab to the page. */
const SETUP: Extension = [
  json(),
  colours,
  looks,
  lineNumbers(),
  history(),
  highlightSpecialChars(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  rectangularSelection(),
  indentOnInput(),
  bracketMatching(),
  EditorView.lineWrapping,
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
];

/** The attributes of the text, which change with the props. */
const attributes = new Compartment();

/** Marks a change that the page made, which need not be told to it. */
const ofPage = Annotation.define<true>();

/** Styles that a script adds need the page's nonce (lib/rules/http/content-policy.ts). */
function nonceOf(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/** The code editor for JSON, in a part of its own because it is large. */
export default function CodeEditor({ onSubmit, ...props }: TextEditorProps) {
  const frameRef = useEditor(props);
  // The key is taken before the editor sees it, to which it means a new line.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <div
      ref={frameRef}
      onKeyDownCapture={onKey}
      className="overflow-hidden rounded-control border border-line-strong"
    />
  );
}

/**
 * Mounts the editor in the element of the returned ref, together with that element, so that no key falls between it and
 * the text area before it. The editor is changed only where a prop is: each change sets the selection anew, also one that
 * another program has just made.
 */
function useEditor({ label, text, onText, isInvalid, describedBy, selectionRef }: Omit<TextEditorProps, "onSubmit">) {
  const frameRef = useRef<HTMLDivElement>(null);
  const viewRef = useRef<EditorView>(undefined);
  const tell = useEffectEvent(({ docChanged, transactions, state }: ViewUpdate) => {
    if (docChanged && !transactions.some((one) => one.annotation(ofPage))) onText(state.doc.toString());
  });
  const mount = useEffectEvent((parent: Element) => {
    const view = new EditorView({
      parent,
      doc: text,
      extensions: [
        SETUP,
        EditorView.cspNonce.of(nonceOf()),
        EditorView.updateListener.of((update) => tell(update)),
        attributes.of([]),
      ],
    });
    if (selectionRef.current) {
      const { range, hasFocus } = selectionRef.current;
      const [anchor, head] = range.map((at) => Math.min(at, view.state.doc.length));
      view.dispatch({ selection: { anchor: anchor ?? 0, head } });
      if (hasFocus) view.focus();
    }
    return view;
  });
  useLayoutEffect(() => {
    if (!frameRef.current) return;
    const view = mount(frameRef.current);
    viewRef.current = view;
    return () => view.destroy();
  }, []);

  useLayoutEffect(() => {
    const now = EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-describedby": describedBy,
      "aria-invalid": String(isInvalid),
    });
    viewRef.current?.dispatch({ effects: attributes.reconfigure(now) });
  }, [label, describedBy, isInvalid]);
  useLayoutEffect(() => {
    const view = viewRef.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: ofPage.of(true) });
  }, [text]);
  return frameRef;
}
