import { PaneLoading } from "../../../../_rooms/pane-loading.tsx";

export default function StoreLoading() {
  return <PaneLoading title="Store" />;
}
