import { RoomLoading } from "../../../../_rooms/room-loading.tsx";

export default function CronsLoading() {
  return <RoomLoading title="Crons" />;
}
