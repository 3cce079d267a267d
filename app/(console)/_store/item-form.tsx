"use client";

import { useState } from "react";
import type { ItemId, StoreApi } from "#lib/client/store.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { Item } from "#lib/protocol/store.ts";
import { refuseNamespace } from "#lib/rules/store/namespace.ts";
import { JsonEditor } from "../_form/json-editor.tsx";
import { Button } from "../_ui/button.tsx";
import { TextField } from "../_ui/field.tsx";
import { type IndexChoice, IndexField, type TtlChoice, TtlField } from "./item-options.tsx";
import { KeyField } from "./key-field.tsx";
import { SaveNotice } from "./save-notice.tsx";
import { labelsOf } from "./store-query.ts";
import { useStoring } from "./use-storing.ts";

interface ItemFormProps {
  api: StoreApi;
  /** The item to change; undefined for a new one. */
  item?: Item | undefined;
  namespace: readonly string[];
  onCancel: () => void;
  onSaved: (id: ItemId) => void;
  /** Opens another item instead, which has the key of a new one. */
  onOpen?: (id: ItemId) => void;
}

/** Adds an item, or changes the value of one. */
export default function ItemForm({ api, item: given, namespace, onCancel, onSaved, onOpen }: ItemFormProps) {
  // The person who edits has not seen an item that is read again while the form is open.
  const [item] = useState(given);
  const [path, setPath] = useState(namespace.join("."));
  const [key, setKey] = useState(item?.key ?? "");
  const [value, setValue] = useState<unknown>(item?.value ?? {});
  const [unreadable, setUnreadable] = useState<string>();
  const [index, setIndex] = useState<IndexChoice>({ how: "configured", paths: "" });
  const [ttl, setTtl] = useState<TtlChoice>({ how: "configured", minutes: "60" });
  const { isBusy, failure, conflict, store, forget } = useStoring(api, onSaved);

  const refusal = item ? undefined : refuseNamespace(labelsOf(path));
  const minutes = Number(ttl.minutes);
  const isTtlWrong = ttl.how === "minutes" && !(minutes > 0);
  const problem =
    unreadable ??
    refusal?.message ??
    (key === "" ? "The key is missing." : undefined) ??
    (isObject(value) ? undefined : "The value must be an object.") ??
    (isTtlWrong ? "The minutes must be a number above 0." : undefined);
  const id = item ?? { namespace: labelsOf(path), key };
  const isBlocked = problem !== undefined || isBusy;
  const save = (seen = item ?? null): void => {
    if (isBlocked) return;
    const changed = {
      namespace: id.namespace,
      key: id.key,
      value,
      ...(index.how !== "configured" && { index: index.how === "none" ? (false as const) : pathsOf(index.paths) }),
      ...(ttl.how !== "configured" && { ttl: ttl.how === "never" ? null : minutes }),
    };
    store(changed, seen);
  };
  const saveOver = (): void => save(conflict?.now);
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
            onChange={(event) => {
              setPath(event.target.value);
              forget();
            }}
          />
          <KeyField
            value={key}
            conflict={conflict?.now ? conflict : undefined}
            isDisabled={isBlocked}
            onChange={(next) => {
              setKey(next);
              forget();
            }}
            onOpen={() => onOpen?.(id)}
            onReplace={saveOver}
          />
        </>
      )}
      <div>
        <div className="mb-1.5 text-small text-ink-2">Value</div>
        <JsonEditor
          label="Value"
          value={value}
          onChange={setValue}
          onUnreadable={setUnreadable}
          onSubmit={() => save()}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <IndexField choice={index} onChoice={setIndex} />
        <TtlField choice={ttl} onChoice={setTtl} isWrong={isTtlWrong} />
      </div>
      {conflict && (item || !conflict.now) ? (
        <SaveNotice name={id.key} conflict={conflict} isDisabled={isBlocked} onSave={saveOver} />
      ) : null}
      {failure === undefined ? null : (
        <p role="alert" className="wrap-anywhere text-bad">
          The item was not stored: {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={isBlocked}>
          {isBusy ? "Saving…" : item ? "Save" : "Add item"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <output className="min-w-0 flex-1 text-small text-ink-2">{unreadable === undefined ? problem : ""}</output>
      </div>
    </form>
  );
}

const pathsOf = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
