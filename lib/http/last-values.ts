import { END, type RunEvent } from "../protocol/stream.ts";

/** Yields the last `values` of a run, or `{"__error__": ...}`: the request succeeds even if the run fails. */
export async function* lastValues(
  batches: AsyncIterable<readonly RunEvent[]>,
): AsyncGenerator<string, void, undefined> {
  let values = "null";
  let error: string | undefined;
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.event === "values") values = event.data;
      else if (event.event === "error") error = event.data;
      else if (event.event === END) break;
    }
  }
  yield error === undefined ? values : `{"__error__":${error}}`;
}
