/** The official A2A clients for Python, and helpers that read their results in the terms of v0.3. */
import { describe } from "vitest";
import { type Python, pythonWith } from "../support/python.ts";
import { type TaskEvent, eventOf03, eventOfV1, summary } from "./a2a-callers.ts";

export type Protocol = "1.0" | "0.3";

/** Versions of `a2a-sdk` and the generation they use; 1.x uses v0.3 by its compatibility layer. */
const clients: [string, Protocol][] = [
  ["1.3.0", "1.0"],
  ["1.2.3", "1.0"],
  ["1.3.0", "0.3"],
  ["0.3.26", "0.3"],
];

const packages = new Map(clients.map(([version]) => [version, pythonWith(`a2a-sdk-${version}`)]));
/** Python is available for all of them, or for none. */
const isMissing = [...packages.values()].includes(undefined);

export interface PythonClient {
  version: string;
  protocol: Protocol;
  /** 1.x has an exception for each error; 0.3.26 has one for all. */
  named: boolean;
  run: Python["run"];
}

/** Runs the same tests for each client; they are skipped without Python. */
export function describeClients(tests: (client: PythonClient) => void): void {
  describe.skipIf(isMissing).each(clients)("a2a-sdk %s for Python, in v%s", (version, protocol) => {
    const run: Python["run"] = async (program, input) => {
      const python = packages.get(version);
      if (!python) throw new Error("a test that had to be left out");
      return await python.run(program, { protocol, ...input });
    };
    tests({ version, protocol, named: !version.startsWith("0."), run });
  });
}

/** An exception of the client; `about` holds the details that it took from the error. */
export interface Thrown {
  type: string;
  code: number | null;
  message: string;
  about?: object | null;
  /** The result, when there was no exception. */
  answer?: unknown;
}

export interface WirePart {
  text?: string;
  data?: object;
  raw?: string;
  url?: string;
  mediaType?: string;
  file?: { bytes?: string; uri?: string; mimeType: string };
}

export interface WireTask {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: WirePart[] } };
  history?: { parts: WirePart[] }[];
  artifacts?: { name?: string; parts: WirePart[] }[];
}

export { summary };

const events = (stream: readonly unknown[]): TaskEvent[] =>
  stream.map((event) => (Object.hasOwn(event as object, "kind") ? eventOf03 : eventOfV1)(event));

/** Returns the states of a stream, with one `artifact` for consecutive chunks. */
export const states = (stream: readonly unknown[]): string[] =>
  events(stream)
    .map(({ kind, state }) => state ?? kind)
    .filter((state, index, all) => state !== "artifact" || all[index - 1] !== "artifact");

/** The text of a client that applies chunks as they come. */
export const joined = (stream: readonly unknown[]): string =>
  events(stream).reduce((text, { text: piece = "", append }) => (append ? text + piece : piece || text), "");

/** Returns a part's content by its kind, in either generation. */
export function content({ text, data, raw, url, mediaType, file }: WirePart): unknown {
  if (data) return { data };
  const [bytes, uri, type] = [raw ?? file?.bytes, url ?? file?.uri, mediaType ?? file?.mimeType];
  return bytes === undefined && uri === undefined ? text : { ...(bytes ? { bytes } : { uri }), type };
}
