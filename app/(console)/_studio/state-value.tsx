"use client";

import { useCallback } from "react";
import { VALUES } from "#lib/rules/threads/bounded-state.ts";
import { JsonView } from "../_form/json-view.tsx";
import { OmittedValue } from "../_form/omitted-value.tsx";
import { isMessageList, MessageList } from "./message-list.tsx";
import { useStudio } from "./studio-context.ts";

interface StateValueProps {
  label: string;
  value: unknown;
  /** A large value is shown at once. */
  isWanted?: boolean;
  /** The index of the first item, if the value is a part of a list. */
  first?: number;
}

/** A value of the state: messages as messages, everything else as a tree. */
export function StateValue({ label, value, isWanted = false, first = 0 }: StateValueProps) {
  if (isMessageList(value)) return <MessageList messages={value} first={first} />;
  return <JsonView label={label} value={value} isWanted={isWanted} />;
}

/** A value that was left out of the state at a checkpoint for its size. `name`: its key; undefined for the whole state. */
export function LargeValue({ name, checkpoint, size }: { name: string | undefined; checkpoint: string; size: number }) {
  const { studio, state } = useStudio();
  const thread = state.threadId ?? "";
  const path = name === undefined ? "values" : `${VALUES}${name}`;
  const read = useCallback(() => studio.api.omitted(thread, checkpoint, path), [studio, thread, checkpoint, path]);
  const label = name ?? "State";
  return (
    <OmittedValue key={`${checkpoint} ${path}`} label={label} size={size} read={read}>
      {(value) => <StateValue label={label} value={value} isWanted />}
    </OmittedValue>
  );
}
