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

/** Creates the requests about checkpoints, with the types of the answers (lib/protocol/checkpoints.ts); `tell` has none. */
export function checkpointRequests(host: HostRequests, origin: RequestOrigin) {
  /** The host writes the answer, so it has this type. */
  const send = async <T>(request: CheckpointRequest): Promise<T> => (await host.ask(origin, request)) as T;
  return {
    get: (scope: CheckpointScope, id: string | undefined, known: string | undefined) =>
      send<FoundCheckpoint | SameCheckpoint | null>({ about: "checkpoint", do: "get", ...scope, id, known }),
    list: (query: CheckpointQuery) => send<CheckpointPage>({ about: "checkpoint", do: "list", ...query }),
    put: (put: PutRequest) => send<PutAnswer>({ about: "checkpoint", do: "put", ...put }),
    putWrites: (writes: WritesRequest) => send<null>({ about: "checkpoint", do: "writes", ...writes }),
    tellPut: (put: PutRequest): void => host.tell(origin, { about: "checkpoint", do: "put", ...put }),
    tellWrites: (writes: WritesRequest): void => host.tell(origin, { about: "checkpoint", do: "writes", ...writes }),
    throwIfRefused: (): void => host.throwIfRefused(origin),
    deleteThread: (thread: string) => send<null>({ about: "checkpoint", do: "delete", thread }),
  };
}

export type CheckpointRequests = ReturnType<typeof checkpointRequests>;
