"use client";

import { useEffect, useReducer, useRef } from "react";
import type { ReadAttachments } from "#lib/client/read-attachments.ts";
import { setNewest } from "#lib/rules/set-newest.ts";
import type { Attached } from "#lib/rules/threads/attachment-limits.ts";
import type { Attachment } from "#lib/rules/threads/attachments.ts";

/** The message that is being written. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Why files could not be attached. */
  readonly problems: readonly string[];
  /** The number of readings of files that are under way. */
  readonly reading: number;
  /** The message that this one replaces, with everything after it. */
  readonly editing?: { readonly id: string; readonly isLast: boolean };
}

/** Adds files for as long as they keep the limits. It is loaded with the first file. */
type Attach = (attached: readonly Attachment[], files: readonly Attachment[]) => Attached;

type Change =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "restore"; readonly text: string }
  | { readonly kind: "reading" }
  | ({ readonly kind: "files"; readonly attach?: Attach } & ReadAttachments)
  | { readonly kind: "remove"; readonly attachment: Attachment }
  | ({ readonly kind: "begin" } & Partial<Pick<Draft, "text" | "attachments" | "editing">>);

const EMPTY: Draft = { text: "", attachments: [], problems: [], reading: 0 };

function reduce(draft: Draft, change: Change): Draft {
  switch (change.kind) {
    case "text":
      return { ...draft, text: change.text };
    case "restore":
      // The text that was typed before the page was hydrated is newer.
      return draft === EMPTY ? { ...draft, text: change.text } : draft;
    case "reading":
      return { ...draft, reading: draft.reading + 1, problems: [] };
    case "files": {
      const { attachments, problems } = change.attach?.(draft.attachments, change.files) ?? { ...draft, problems: [] };
      return { ...draft, attachments, problems: [...change.problems, ...problems], reading: draft.reading - 1 };
    }
    case "remove":
      return { ...draft, attachments: draft.attachments.filter((one) => one !== change.attachment), problems: [] };
    case "begin": {
      const { kind: _kind, ...begun } = change;
      return { ...EMPTY, reading: draft.reading, ...begun };
    }
  }
}

export type DraftControl = ReturnType<typeof useDraft>;

/** The drafts of the conversations that were left, as long as the page is. The tab stores their texts for the next page. */
const left = new Map<string, Draft>();
/** The most drafts that are kept. */
const MOST = 20;
const STORAGE_KEY = "graphlib.drafts";
let isLoaded = false;

function keepDraft(conversation: string, draft: Draft): void {
  if (draft.text === "" && draft.attachments.length === 0) left.delete(conversation);
  else setNewest(left, conversation, { ...draft, reading: 0 }, MOST);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...left].map(([key, { text }]) => [key, text])));
  } catch {
    // A tab without storage, or with texts that are too long for it, keeps what it stored before.
  }
}

/** Loads the texts that the page before has stored. */
function loadDrafts(): void {
  if (isLoaded) return;
  isLoaded = true;
  try {
    // This module alone writes it.
    const texts = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as [string, string][];
    for (const [key, text] of texts) left.set(key, { ...EMPTY, text });
  } catch {
    // A tab without storage begins with nothing.
  }
}

/**
 * Holds the message that is being written in a conversation, also while another one is shown. `first`: what it begins
 * with, in place of what is kept.
 */
export function useDraft(conversation: string, first: string) {
  const [draft, change] = useReducer(reduce, first, (text) =>
    text === "" ? (left.get(conversation) ?? EMPTY) : { ...EMPTY, text },
  );
  const keptAs = useRef(conversation);
  useEffect(() => {
    loadDrafts();
    // The server does not know what is stored, so the first draft of a page is always empty.
    if (draft === EMPTY) {
      const text = left.get(conversation)?.text;
      if (text) change({ kind: "restore", text });
      return;
    }
    // A new conversation has another name from its first message on.
    if (keptAs.current !== conversation) left.delete(keptAs.current);
    keptAs.current = conversation;
    keepDraft(conversation, draft);
  }, [conversation, draft]);
  const latest = useRef(Promise.resolve());
  const addFiles = (files: readonly File[]): void => {
    if (files.length === 0) return;
    change({ kind: "reading" });
    // Files that are chosen later are attached later, however large the first ones are.
    latest.current = latest.current
      .then(async () => {
        const { attach, readAttachments } = await import("#lib/client/read-attachments.ts");
        change({ kind: "files", attach, ...(await readAttachments(files)) });
      })
      .catch(() => {
        change({ kind: "files", files: [], problems: ["The files could not be read: the server cannot be reached."] });
      });
  };
  return {
    draft,
    addFiles,
    write: (text: string) => change({ kind: "text", text }),
    remove: (attachment: Attachment) => change({ kind: "remove", attachment }),
    begin: (begun: Partial<Pick<Draft, "text" | "attachments" | "editing">> = {}) =>
      change({ kind: "begin", ...begun }),
  };
}
