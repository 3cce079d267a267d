import { RoomLoading } from "../../../../../_rooms/room-loading.tsx";

export default function ThreadsLoading() {
  return <RoomLoading title="Threads" />;
}
