/** The host's end of a worker's channel. Every line that arrives is validated before it is used. */
import type { Duplex } from "node:stream";
import { BadLine } from "../../protocol/line-checks.ts";
import { lineDecoder, LONGEST_LINE, type WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { readLines, writeLines } from "./lines.ts";

/** Unread characters at which a worker is ended. A request to it has 10 MB at most. */
const MOST_UNREAD = 128 * 1024 * 1024;
/** Unread characters at which answers to the worker wait. */
const MUCH_UNREAD = 4 * 1024 * 1024;

/** The reason why a channel is not read: the host cannot keep up with the worker's events, its requests or its changes. */
export type PauseReason = "events" | "questions" | "changes";

export interface WorkerChannel {
  send(message: HostMessage): void;
  /** Stops reading until `resume` was called for every reason. */
  pause(why: PauseReason): void;
  resume(why: PauseReason): void;
  isPaused(): boolean;
  /** True while the worker has many unread messages. `drained` is called when it has read all. */
  isBehind(): boolean;
}

export interface ChannelEvents {
  /** Receives messages that arrived together, in order. Throws `BadLine` for one that is not allowed there. */
  messages(messages: readonly WorkerLine[]): void;
  /** Called when the worker has read all that was sent. */
  drained(): void;
  /** Called when the worker violated the protocol and must end. No message is delivered after this. */
  broken(reason: string): void;
}

/** Opens a channel. `finish` delivers the lines that were written before the worker ended. */
export function openChannel(
  socket: Duplex,
  events: ChannelEvents,
  mostUnread = MOST_UNREAD,
): WorkerChannel & { finish(): void } {
  const decode = lineDecoder();
  const pausedFor = new Set<PauseReason>();
  let isBroken = false;
  const breakWith = (reason: string): void => {
    if (isBroken) return;
    isBroken = true;
    reader.stop();
    events.broken(reason);
  };
  const reader = readLines(socket, LONGEST_LINE, {
    lines(lines) {
      if (isBroken) return;
      try {
        const { messages, bad } = decodeAll(lines, decode);
        if (messages.length > 0) events.messages(messages);
        if (bad) throw bad;
      } catch (error) {
        breakWith(reasonOf(error));
      }
    },
    overflow: () => breakWith(`it wrote a line of more than ${LONGEST_LINE / 1024 / 1024} MB to its channel`),
  });
  const writer = writeLines<HostMessage>(socket);
  socket.on("drain", () => events.drained());
  socket.on("error", () => {
    // The worker ended while something was written to it. Its exit is reported elsewhere.
  });

  return {
    send(message) {
      if (isBroken) return;
      writer.send(message);
      if (writer.waiting() > mostUnread) breakWith("it does not read its messages");
    },
    pause(why) {
      pausedFor.add(why);
      reader.pause();
    },
    resume(why) {
      if (pausedFor.delete(why) && pausedFor.size === 0) reader.resume();
    },
    isPaused: () => pausedFor.size > 0,
    isBehind: () => writer.waiting() > MUCH_UNREAD,
    finish: () => reader.finish(),
  };
}

/** Returns the messages before the first bad one. */
function decodeAll(
  lines: readonly string[],
  decode: (line: string) => WorkerLine,
): { messages: WorkerLine[]; bad?: BadLine } {
  const messages: WorkerLine[] = [];
  try {
    for (const line of lines) messages.push(decode(line));
  } catch (error) {
    if (error instanceof BadLine) return { messages, bad: error };
    throw error;
  }
  return { messages };
}

function reasonOf(error: unknown): string {
  const what = error instanceof BadLine ? error.message : "one that the host could not take";
  return `it wrote something else than messages to its channel: ${what}`;
}
