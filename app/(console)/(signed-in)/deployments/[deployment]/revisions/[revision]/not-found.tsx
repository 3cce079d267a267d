import { LazyMissing } from "../../../../../_rooms/lazy-missing.tsx";

export default function RevisionNotFound() {
  return (
    <LazyMissing what="revision" list={{ label: "Revisions", path: "revisions" }}>
      Revisions are numbered from 1, and this deployment has none with this number.
    </LazyMissing>
  );
}
