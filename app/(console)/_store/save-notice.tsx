import { useState } from "react";
import { JsonView } from "../_form/json-view.tsx";
import { Button } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";
import type { Conflict } from "./use-storing.ts";

/** Says that an item was changed or deleted while it was edited. Storing it all the same takes a press of its own. */
export function SaveNotice({
  name,
  conflict: { now },
  isDisabled,
  onSave,
}: {
  /** The key of the item. */
  name: string;
  conflict: Conflict;
  isDisabled: boolean;
  onSave: () => void;
}) {
  const [isShown, setShown] = useState(false);
  if (!now) {
    return (
      <Notice
        alert
        tone="waiting"
        title="This item was deleted meanwhile"
        action={
          <Button disabled={isDisabled} onClick={onSave}>
            Make it again
          </Button>
        }
      >
        Nothing was stored. What you have written is kept here.
      </Notice>
    );
  }
  return (
    <Notice
      alert
      tone="waiting"
      title="This item was changed meanwhile"
      action={
        <>
          <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide theirs" : "Show theirs"}
          </Button>
          <Button disabled={isDisabled} onClick={onSave}>
            Save mine
          </Button>
        </>
      }
    >
      Nothing was stored. “Save mine” replaces what is stored, “Cancel” keeps it.
      {isShown ? (
        <div className="mt-3 rounded-control border border-line bg-background p-3 text-ink">
          <JsonView label={`Stored value of ${name}`} value={now.value} />
        </div>
      ) : null}
    </Notice>
  );
}
