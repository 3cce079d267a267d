"use client";

import { useMemo, useState } from "react";
import { isObject, type JsonObject } from "#lib/protocol/json.ts";
import { differenceOf } from "#lib/rules/studio/state-difference.ts";
import { shortText } from "#lib/rules/studio/short-text.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { JsonEditor } from "../_form/json-editor.tsx";
import { Button } from "../_ui/button.tsx";
import { SelectField } from "../_ui/field.tsx";
import { Notice } from "../_ui/notice.tsx";
import { isMessageList } from "./message-list.tsx";
import { isEnd } from "./node-facts.ts";
import { useStudio } from "./studio-context.ts";

/** Edits the state at a checkpoint. Saving writes the changed keys as an update by a node, which forks the thread there. */
export function StateEditor({
  values,
  checkpoint,
  lastNode,
}: {
  values: unknown;
  checkpoint: string | undefined;
  lastNode: string | undefined;
}) {
  const { info, studio, setQuery } = useStudio();
  const [edited, setEdited] = useState<unknown>(values);
  const [unreadable, setUnreadable] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const difference = useMemo(() => differenceOf(values, edited), [values, edited]);
  const [chosen, setNode] = useState<string>();
  const nodes = info.outline?.nodes.map((one) => `${one.id}`).filter((id) => !isEnd(id)) ?? [];
  // A node that the graph no longer has cannot write.
  const node = chosen ?? (lastNode !== undefined && nodes.includes(lastNode) ? lastNode : "");
  const removed = removedKeys(values, edited);
  const canSave = unreadable === undefined && difference.length > 0 && removed.length === 0 && !isSaving;

  const save = async () => {
    if (!canSave) return;
    setSaving(true);
    setFailure(undefined);
    try {
      await studio.edit({
        values: changedKeys(values, edited),
        ...(node !== "" && { as_node: node }),
        ...(checkpoint !== undefined && { checkpoint_id: checkpoint }),
      });
      void setQuery({ edit: null, checkpoint: null, compare: null });
    } catch (error) {
      setFailure(errorMessage(error));
      setSaving(false);
    }
  };
  return (
    <div className="flex flex-col gap-4 p-4">
      <JsonEditor
        label="State"
        value={edited}
        onChange={setEdited}
        onUnreadable={setUnreadable}
        onSubmit={() => void save()}
      />
      <SelectField
        label="As an update by"
        hint="The graph goes on as if this node had written the change."
        value={node}
        onChange={(event) => setNode(event.target.value)}
      >
        <option value="">the node that ran last</option>
        {nodes.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      {difference.length > 0 ? <Update values={values} edited={edited} /> : null}
      {removed.length > 0 ? (
        <p className="text-small text-bad">
          An update cannot remove keys ({removed.join(", ")}). Set them to null instead.
        </p>
      ) : null}
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="The state was not changed">
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={!canSave} onClick={() => void save()}>
          {isSaving ? "Saving…" : "Fork with this state"}
        </Button>
        <Button variant="quiet" onClick={() => void setQuery({ edit: null })}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** Shows what is sent. The graph's reducers are not known here, so what becomes of it is shown after the fork. */
function Update({ values, edited }: { values: unknown; edited: unknown }) {
  const sent = changedKeys(values, edited);
  const lost = isObject(values) && isObject(sent) ? keysOfLostMessages(values, sent) : [];
  return (
    <section aria-label="What is sent" className="flex flex-col gap-1.5">
      <h2 className="text-small font-medium text-ink-3">What is sent</h2>
      <ul className="flex flex-col font-mono text-code">
        {(isObject(sent) ? Object.entries(sent) : [["state", sent] as const]).map(([key, value]) => (
          <li key={key} className="wrap-anywhere">
            {key}
            <span className="text-ink-2">: {shortText(value)}</span>
          </li>
        ))}
      </ul>
      <p className="text-small text-ink-2">
        A key without a reducer takes the value. A key with one combines it with what is there, as the graph decides.
        The fork then shows what has changed.
      </p>
      {lost.length > 0 ? (
        <p className="text-small text-waiting">
          A reducer of messages adds or replaces by id, and keeps those that you removed from {lost.join(", ")}. To
          remove one, put {'{"type": "remove", "id": "…"}'} in its place.
        </p>
      ) : null}
    </section>
  );
}

/** Returns the keys with messages that the update no longer has. */
function keysOfLostMessages(before: JsonObject, sent: JsonObject): readonly string[] {
  return Object.entries(sent)
    .filter(([key, value]) => {
      const messages = before[key];
      if (!isMessageList(messages)) return false;
      const ids = new Set(Array.isArray(value) ? value.filter(isObject).map(({ id }) => id) : []);
      return messages.some(({ id }) => !ids.has(id));
    })
    .map(([key]) => key);
}

/** Returns the members that were changed or added; the whole value if it is no object. */
function changedKeys(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const changed: JsonObject = {};
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key) || differenceOf(before[key], value).length > 0) changed[key] = value;
  }
  return changed;
}

function removedKeys(before: unknown, after: unknown): readonly string[] {
  if (!isObject(before) || !isObject(after)) return [];
  return Object.keys(before).filter((key) => !Object.hasOwn(after, key));
}
