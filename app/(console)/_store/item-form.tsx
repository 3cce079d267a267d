"use client";

import { useState } from "react";
import type { ItemId, StoreApi } from "#lib/client/store.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { Item } from "#lib/protocol/store.ts";
import { refuseNamespace } from "#lib/rules/store/namespace.ts";
import { JsonEditor } from "../_form/json-editor.tsx";
import { Button } from "../_ui/button.tsx";
import { SelectField, TextField } from "../_ui/field.tsx";
import { useAct } from "../_ui/use-act.ts";
import { labelsOf } from "./store-query.ts";

interface ItemFormProps {
  api: StoreApi;
  /** The item to change; undefined for a new one. */
  item?: Item | undefined;
  namespace: readonly string[];
  onCancel: () => void;
  onSaved: (id: ItemId) => void;
}

/** Adds an item, or changes the value of one. */
export default function ItemForm({ api, item, namespace, onCancel, onSaved }: ItemFormProps) {
  const [path, setPath] = useState(namespace.join("."));
  const [key, setKey] = useState(item?.key ?? "");
  const [value, setValue] = useState<unknown>(item?.value ?? {});
  const [unreadable, setUnreadable] = useState<string>();
  const [index, setIndex] = useState<IndexChoice>({ how: "configured", paths: "" });
  const [ttl, setTtl] = useState<TtlChoice>({ how: "configured", minutes: "60" });
  const { busy, failure, act } = useAct<"save">();

  const refusal = item ? undefined : refuseNamespace(labelsOf(path));
  const minutes = Number(ttl.minutes);
  const isTtlWrong = ttl.how === "minutes" && !(minutes > 0);
  const problem =
    unreadable ??
    refusal?.message ??
    (key === "" ? "The key is missing." : undefined) ??
    (isObject(value) ? undefined : "The value must be an object.") ??
    (isTtlWrong ? "The minutes must be a number above 0." : undefined);
  const save = (): void => {
    if (problem !== undefined || busy) return;
    const id = item ?? { namespace: labelsOf(path), key };
    const stored = api.put({
      namespace: id.namespace,
      key: id.key,
      value,
      ...(index.how !== "configured" && { index: index.how === "none" ? false : pathsOf(index.paths) }),
      ...(ttl.how !== "configured" && { ttl: ttl.how === "never" ? null : minutes }),
    });
    act(
      "save",
      stored.then(() => onSaved(id)),
    );
  };
  return (
    <form
      aria-label={item ? `Edit ${item.key}` : "New item"}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {item ? null : (
        <>
          <TextField
            label="Namespace"
            mono
            value={path}
            placeholder="users.ada"
            hint="Labels, joined by periods"
            error={path === "" ? undefined : refusal?.message}
            onChange={(event) => setPath(event.target.value)}
          />
          <TextField label="Key" mono value={key} onChange={(event) => setKey(event.target.value)} />
        </>
      )}
      <div>
        <div className="mb-1.5 text-small text-ink-2">Value</div>
        <JsonEditor label="Value" value={value} onChange={setValue} onUnreadable={setUnreadable} onSubmit={save} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <IndexField choice={index} onChoice={setIndex} />
        <TtlField choice={ttl} onChoice={setTtl} isWrong={isTtlWrong} />
      </div>
      {failure === undefined ? null : (
        <p role="alert" className="wrap-anywhere text-bad">
          The item was not stored: {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={problem !== undefined || busy !== undefined}>
          {busy ? "Saving…" : item ? "Save" : "Add item"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <output className="min-w-0 flex-1 text-small text-ink-2">{unreadable === undefined ? problem : ""}</output>
      </div>
    </form>
  );
}

interface IndexChoice {
  readonly how: "configured" | "none" | "paths";
  readonly paths: string;
}

function IndexField({ choice, onChoice }: { choice: IndexChoice; onChoice: (choice: IndexChoice) => void }) {
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

interface TtlChoice {
  readonly how: "configured" | "never" | "minutes";
  readonly minutes: string;
}

function TtlField({
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

const pathsOf = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
