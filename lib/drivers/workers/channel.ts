/** The host's end of a worker's channel. Nothing that comes in is more than text before it has been parsed. */
import type { Duplex } from "node:stream";
import { BadLine, lineDecoder, LONGEST_LINE, type WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { readLines, writeLines } from "./lines.ts";

/** Characters that may wait for a worker which does not read; what is asked of it is 10 MB at most. */
const MOST_UNREAD = 128 * 1024 * 1024;
/** With so much unread a worker is told no more than it has to be. */
const MUCH_UNREAD = 4 * 1024 * 1024;

/** Why a channel is not read: its events or its questions are more than the host can keep up with. */
export type PauseReason = "events" | "questions";

export interface WorkerChannel {
  send(message: HostMessage): void;
  /** Stops reading what the worker says, until all that it was held for is released. */
  pause(why: PauseReason): void;
  resume(why: PauseReason): void;
  isPaused(): boolean;
  /** The worker has much to read that it was told: answers can wait. `onRead` calls back when it has read all. */
  isBehind(): boolean;
}

export interface ChannelEvents {
  /** Messages that came together, in order. Throws `BadLine` for one that makes no sense where it stands. */
  messages(messages: readonly WorkerLine[]): void;
  /** The worker has taken all that was written. */
  drained(): void;
  /** The worker broke the rules: it has to end. Nothing of it is heard after this. */
  broken(reason: string): void;
}

/** `finish` hands over what was written before the worker ended. */
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
    // The worker went away while something was being written to it: its exit says so.
  });

  return {
    send(message) {
      if (isBroken) return;
      writer.send(message);
      if (writer.waiting() > mostUnread) breakWith("it does not read what it is told");
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

/** Those before the first bad one. */
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
