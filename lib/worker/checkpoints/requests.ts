import type { Asker } from "../../protocol/ask.ts";
import type {
  CheckpointAsk,
  CheckpointPage,
  CheckpointPlace,
  CheckpointQuery,
  FoundCheckpoint,
  PutAnswer,
  SameCheckpoint,
} from "../../protocol/checkpoints.ts";
import type { HostRequests } from "../host-requests.ts";

type PutRequest = Omit<Extract<CheckpointAsk, { do: "put" }>, "about" | "do">;
type WritesRequest = Omit<Extract<CheckpointAsk, { do: "writes" }>, "about" | "do">;

/** Creates the requests about checkpoints, with the types of the answers (lib/protocol/checkpoints.ts). */
export function checkpointRequests(host: HostRequests, asker: Asker) {
  /** The host writes the answer, so it has this type. */
  const send = async <T>(request: CheckpointAsk): Promise<T> => (await host.ask(asker, request)) as T;
  return {
    get: (place: CheckpointPlace, id: string | undefined, known: string | undefined) =>
      send<FoundCheckpoint | SameCheckpoint | null>({ about: "checkpoint", do: "get", ...place, id, known }),
    list: (query: CheckpointQuery) => send<CheckpointPage>({ about: "checkpoint", do: "list", ...query }),
    put: (put: PutRequest) => send<PutAnswer>({ about: "checkpoint", do: "put", ...put }),
    putWrites: (writes: WritesRequest) => send<null>({ about: "checkpoint", do: "writes", ...writes }),
    deleteThread: (thread: string) => send<null>({ about: "checkpoint", do: "delete", thread }),
  };
}

export type CheckpointRequests = ReturnType<typeof checkpointRequests>;
