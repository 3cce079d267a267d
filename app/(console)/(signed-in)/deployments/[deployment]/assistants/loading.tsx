import { PaneLoading } from "../../../../_rooms/pane-loading.tsx";

export default function AssistantsLoading() {
  return <PaneLoading title="Assistants" />;
}
