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
import type { Asks } from "../asks.ts";

type Put = Omit<Extract<CheckpointAsk, { do: "put" }>, "about" | "do">;
type PutWrites = Omit<Extract<CheckpointAsk, { do: "writes" }>, "about" | "do">;

/** Creates the requests about checkpoints, with the types of the answers (lib/protocol/checkpoints.ts). */
export function checkpointQuestions(asks: Asks, asker: Asker) {
  /** The host writes the answer, so it has this type. */
  const ask = async <T>(question: CheckpointAsk): Promise<T> => (await asks.ask(asker, question)) as T;
  return {
    get: (place: CheckpointPlace, id: string | undefined, known: string | undefined) =>
      ask<FoundCheckpoint | SameCheckpoint | null>({ about: "checkpoint", do: "get", ...place, id, known }),
    list: (query: CheckpointQuery) => ask<CheckpointPage>({ about: "checkpoint", do: "list", ...query }),
    put: (put: Put) => ask<PutAnswer>({ about: "checkpoint", do: "put", ...put }),
    putWrites: (writes: PutWrites) => ask<null>({ about: "checkpoint", do: "writes", ...writes }),
    deleteThread: (thread: string) => ask<null>({ about: "checkpoint", do: "delete", thread }),
  };
}

export type CheckpointQuestions = ReturnType<typeof checkpointQuestions>;
