import { SelectField, TextField } from "../_ui/field.tsx";

export interface IndexChoice {
  readonly how: "configured" | "none" | "paths";
  readonly paths: string;
}

/** Chooses what of an item is found by meaning. */
export function IndexField({ choice, onChoice }: { choice: IndexChoice; onChoice: (choice: IndexChoice) => void }) {
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Found by meaning"
        value={choice.how}
        hint="What an index embeds of the value"
        onChange={({ target: { value } }) =>
          onChoice({ ...choice, how: value === "none" || value === "paths" ? value : "configured" })
        }
      >
        <option value="configured">As configured</option>
        <option value="none">No</option>
        <option value="paths">By these paths</option>
      </SelectField>
      {choice.how === "paths" ? (
        <TextField
          label="Paths"
          mono
          value={choice.paths}
          placeholder="text, notes[*].body"
          onChange={(event) => onChoice({ ...choice, paths: event.target.value })}
        />
      ) : null}
    </div>
  );
}

export interface TtlChoice {
  readonly how: "configured" | "never" | "minutes";
  readonly minutes: string;
}

/** Chooses when an item expires. */
export function TtlField({
  choice,
  onChoice,
  isWrong,
}: {
  choice: TtlChoice;
  onChoice: (choice: TtlChoice) => void;
  isWrong: boolean;
}) {
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Expires"
        value={choice.how}
        hint="Counted from the last read or write"
        onChange={({ target: { value } }) =>
          onChoice({ ...choice, how: value === "never" || value === "minutes" ? value : "configured" })
        }
      >
        <option value="configured">As configured</option>
        <option value="never">Never</option>
        <option value="minutes">After some minutes</option>
      </SelectField>
      {choice.how === "minutes" ? (
        <TextField
          label="Minutes"
          inputMode="decimal"
          value={choice.minutes}
          error={isWrong ? "A number above 0" : undefined}
          onChange={(event) => onChoice({ ...choice, minutes: event.target.value })}
        />
      ) : null}
    </div>
  );
}
