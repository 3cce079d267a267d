import { LazyMissing } from "../../../../../_rooms/lazy-missing.tsx";

export default function GraphNotFound() {
  return (
    <LazyMissing what="graph" list={{ label: "Studio", path: "studio" }} lead="Open the Studio">
      The configuration of the live revision names no graph like this. It may have been renamed or removed.
    </LazyMissing>
  );
}
