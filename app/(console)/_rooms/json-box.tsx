import { JsonView } from "../_form/json-view.tsx";
import { Scroller } from "../_ui/scroller.tsx";

/** A JSON value in a box that scrolls. `isWanted`: a large value is shown at once. */
export function JsonBox({ value, label, isWanted = false }: { value: unknown; label: string; isWanted?: boolean }) {
  return (
    <Scroller label={label} className="max-h-[32rem] rounded-control bg-well px-3 py-2.5">
      <JsonView label={label} value={value} isWanted={isWanted} />
    </Scroller>
  );
}
