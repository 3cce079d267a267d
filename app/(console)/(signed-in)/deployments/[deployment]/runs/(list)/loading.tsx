import { RoomLoading } from "../../../../../_rooms/room-loading.tsx";

export default function RunsLoading() {
  return <RoomLoading title="Runs" />;
}
