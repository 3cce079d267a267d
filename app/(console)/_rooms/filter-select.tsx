import type { ComponentProps } from "react";
import { Select } from "../_ui/select.tsx";
import type { RoomAssistant } from "./room-assistant.ts";

/** A filter of a list: one of some values, or all. */
export function FilterSelect({
  all,
  value,
  onValue,
  options,
  ...props
}: Omit<ComponentProps<typeof Select>, "value" | "onChange" | "children"> & {
  /** The words for no filter. */
  all: string;
  value: string | null;
  onValue: (value: string | null) => void;
  /** The values with their words. */
  options: readonly (readonly [value: string, word: string])[];
}) {
  return (
    <Select
      value={value ?? ""}
      onChange={(event) => onValue(event.target.value === "" ? null : event.target.value)}
      {...props}
    >
      <option value="">{all}</option>
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </Select>
  );
}

/** A filter of a list by the assistant. */
export function AssistantFilter({
  assistants,
  ...props
}: Omit<ComponentProps<typeof FilterSelect>, "all" | "options" | "label"> & { assistants: readonly RoomAssistant[] }) {
  return (
    <FilterSelect
      label="Assistant"
      all="Every assistant"
      options={assistants.map(({ id, name, assistantId = id }) => [assistantId, name])}
      {...props}
    />
  );
}
