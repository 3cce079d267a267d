import { ZoomButtons } from "../../_graph/zoom-buttons.tsx";
import { Button } from "../../_ui/button.tsx";
import { Key } from "../../_ui/key.tsx";

export function CanvasControls({
  fit,
  subgraphs,
  allOpen,
  onAll,
}: {
  fit: () => void;
  /** How many subgraphs there are. */
  subgraphs: number;
  allOpen: boolean;
  onAll: () => void;
}) {
  return (
    <div className="absolute bottom-3 left-3 z-5 flex gap-2">
      <ZoomButtons className="border border-line-strong bg-raised" />
      <Button onClick={fit}>
        Fit <Key>f</Key>
      </Button>
      {subgraphs > 0 ? (
        <Button aria-pressed={allOpen} title={allOpen ? "Close all subgraphs" : "Open all subgraphs"} onClick={onAll}>
          Subgraphs
        </Button>
      ) : null}
    </div>
  );
}
