import { JsonView } from "../_form/json-view.tsx";
import { Scroller } from "../_ui/scroller.tsx";

/** A JSON value in a box that scrolls. */
export function JsonBox({ value, label }: { value: unknown; label: string }) {
  return (
    <Scroller label={label} className="max-h-[32rem] rounded-control bg-well px-3 py-2.5">
      <JsonView label={label} value={value} />
    </Scroller>
  );
}
