import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type {
  CheckpointRequest,
  CheckpointPage,
  CheckpointScope,
  CheckpointQuery,
  FoundCheckpoint,
  PutAnswer,
  SameCheckpoint,
} from "../../protocol/checkpoints.ts";
import type { HostRequests } from "../host-requests.ts";

type PutRequest = Omit<Extract<CheckpointRequest, { do: "put" }>, "about" | "do">;
type WritesRequest = Omit<Extract<CheckpointRequest, { do: "writes" }>, "about" | "do">;

/** Creates the requests about checkpoints, with the types of the answers (lib/protocol/checkpoints.ts). */
export function checkpointRequests(host: HostRequests, origin: RequestOrigin) {
  /** The host writes the answer, so it has this type. */
  const send = async <T>(request: CheckpointRequest): Promise<T> => (await host.ask(origin, request)) as T;
  return {
    get: (scope: CheckpointScope, id: string | undefined, known: string | undefined) =>
      send<FoundCheckpoint | SameCheckpoint | null>({ about: "checkpoint", do: "get", ...scope, id, known }),
    list: (query: CheckpointQuery) => send<CheckpointPage>({ about: "checkpoint", do: "list", ...query }),
    put: (put: PutRequest) => send<PutAnswer>({ about: "checkpoint", do: "put", ...put }),
    putWrites: (writes: WritesRequest) => send<null>({ about: "checkpoint", do: "writes", ...writes }),
    deleteThread: (thread: string) => send<null>({ about: "checkpoint", do: "delete", thread }),
  };
}

export type CheckpointRequests = ReturnType<typeof checkpointRequests>;
