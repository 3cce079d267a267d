import { useEffect, useRef } from "react";
import { Button } from "../_ui/button.tsx";
import { TextField } from "../_ui/field.tsx";
import type { Conflict } from "./use-storing.ts";

/** The key of a new item. If an item has it already, that one is opened or replaced by a press of its own. */
export function KeyField({
  value,
  conflict,
  isDisabled,
  onChange,
  onOpen,
  onReplace,
}: {
  value: string;
  /** Set if an item has the key already. */
  conflict: Conflict | undefined;
  /** True while nothing can be stored. */
  isDisabled: boolean;
  onChange: (key: string) => void;
  onOpen: () => void;
  onReplace: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // The field describes itself by its error, which is read out with the focus.
  useEffect(() => {
    if (conflict) input.current?.focus();
  }, [conflict]);
  return (
    <div>
      <TextField
        ref={input}
        label="Key"
        mono
        value={value}
        error={conflict ? "There is already an item with this key." : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {conflict ? (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button onClick={onOpen}>Open it</Button>
          <Button variant="danger" disabled={isDisabled} onClick={onReplace}>
            Replace it
          </Button>
        </div>
      ) : null}
    </div>
  );
}
