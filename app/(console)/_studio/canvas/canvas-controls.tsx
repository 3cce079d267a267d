import { useReactFlow } from "@xyflow/react";
import { Minus, Plus } from "lucide-react";
import { Button, IconButton } from "../../_ui/button.tsx";
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
  const { zoomIn, zoomOut } = useReactFlow();
  const classes = "border border-line-strong bg-raised";
  return (
    <div className="absolute bottom-3 left-3 z-5 flex gap-2">
      <IconButton label="Zoom in" className={classes} onClick={() => void zoomIn({ duration: 140 })}>
        <Plus />
      </IconButton>
      <IconButton label="Zoom out" className={classes} onClick={() => void zoomOut({ duration: 140 })}>
        <Minus />
      </IconButton>
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
