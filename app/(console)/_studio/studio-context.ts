"use client";

import { createContext, useContext } from "react";
import type { RefObject } from "react";
import type { RunOptions, RunStart } from "#lib/client/studio/request.ts";
import type { FieldDrafts } from "#lib/rules/forms/field-drafts.ts";
import type { Studio } from "#lib/client/studio/studio.ts";
import type { StudioState } from "#lib/client/studio/studio-state.ts";
import type { CanvasHandle } from "./canvas/canvas-props.ts";
import type { Caller } from "../_auth/caller.ts";
import type { StudioViewProps } from "./studio-props.ts";
import type { GraphInfo } from "./use-graph-info.ts";
import type { RunSettings } from "./use-run-settings.ts";
import type { StudioQuery } from "./use-studio-query.ts";

/** The forms of the tab "Input". */
export type StudioDrafts = Readonly<Partial<Record<"input" | "configurable" | "context", FieldDrafts>>>;

/** The field for a message, as other parts of the page use it. */
export interface ComposerHandle {
  /** It is not shown for a graph that takes no messages, nor over open questions. */
  readonly isShown: () => boolean;
  /** The message that is being written, without space around it. */
  readonly text: () => string;
  /** Sends the message. Without one, it moves the focus into the field and says what is missing. */
  readonly submit: () => void;
}

export interface StudioContextValue extends Omit<StudioViewProps, "caller" | "isLinkPrinted" | "failure">, StudioQuery {
  readonly caller: Caller;
  /** The path of the deployment's API on this page's origin. */
  readonly base: string;
  readonly studio: Studio;
  readonly state: StudioState;
  readonly info: GraphInfo;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  /** The input that the next run gets, as the form or the raw tab has it. */
  readonly input: unknown;
  readonly setInput: (input: unknown) => void;
  /** The text of the raw tab while it is not JSON. `input` is then the last one that could be read. */
  readonly unreadInput: string | undefined;
  readonly setUnreadInput: (text: string | undefined) => void;
  /** Texts of single fields that are not JSON, by their form. */
  readonly drafts: StudioDrafts;
  readonly keepDrafts: (form: keyof StudioDrafts, drafts: FieldDrafts) => void;
  readonly canvas: RefObject<CanvasHandle | null>;
  /** The field for a message. */
  readonly composer: RefObject<ComposerHandle | null>;
  /** Starts a run from the shown checkpoint, and follows it to its end. Returns false if no run was started. */
  readonly start: (start: RunStart) => Promise<boolean>;
}

const Context = createContext<StudioContextValue | undefined>(undefined);

export const StudioProvider = Context.Provider;

export function useStudio(): StudioContextValue {
  const value = useContext(Context);
  if (!value) throw new Error("useStudio is used outside of the studio");
  return value;
}
