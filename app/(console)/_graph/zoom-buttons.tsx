import { useReactFlow } from "@xyflow/react";
import { Minus, Plus } from "lucide-react";
import { IconButton } from "../_ui/button.tsx";

/** Buttons that bring a graph nearer and take it away. `className` is their look over the graph. */
export function ZoomButtons({ className }: { className: string }) {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <>
      <IconButton label="Zoom in" className={className} onClick={() => void zoomIn({ duration: 140 })}>
        <Plus />
      </IconButton>
      <IconButton label="Zoom out" className={className} onClick={() => void zoomOut({ duration: 140 })}>
        <Minus />
      </IconButton>
    </>
  );
}
