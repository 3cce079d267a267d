/** JSON lines in both directions over one socket. All lines that are sent within a tick leave in one write. */
import { Socket } from "node:net";

export interface HostChannel {
  /** Queues a line, which must end in a newline. Lines leave in the order of the calls. */
  send(line: string): void;
  /** True while the other side reads more slowly than this side writes. Producers then wait for `drained`. */
  readonly full: boolean;
  /** Resolves as soon as the channel is not full. */
  drained(): Promise<void>;
  /** Resolves when everything that was sent has left this process. */
  flushed(): Promise<void>;
}

export interface HostChannelEvents {
  /** Called with each line that arrives, without its newline. */
  onLine(line: string): void;
  /** Called when the connection is closed or broken. */
  onClose(): void;
}

/** The number of unwritten characters above which the channel is full. */
const HIGH_WATER = 256 * 1024;
/** The number of characters above which lines are written at once instead of at the end of the tick. */
const EARLY_WRITE = 64 * 1024;

export function openChannel(fd: number, { onLine, onClose }: HostChannelEvents): HostChannel {
  const socket = new Socket({ fd, readable: true, writable: true });
  readLines(socket, onLine);
  socket.on("error", onClose);
  socket.on("close", onClose);
  return writeLines(socket);
}

function readLines(socket: Socket, onLine: (line: string) => void): void {
  let begun: string[] = [];
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      begun.push(text.slice(from, end));
      from = end + 1;
      const line = begun.join("");
      begun = [];
      onLine(line);
    }
    if (from < text.length) begun.push(text.slice(from));
  });
}

function writeLines(socket: Socket): HostChannel {
  let waiting = "";
  let scheduled = false;
  let listeners: (() => void)[] = [];

  const isFull = () => waiting.length + socket.writableLength > HIGH_WATER;
  const write = () => {
    scheduled = false;
    if (waiting === "" || socket.writableNeedDrain) return;
    const text = waiting;
    waiting = "";
    socket.write(text);
  };
  const written = () => {
    write();
    if (isFull()) return;
    const ready = listeners;
    listeners = [];
    for (const listener of ready) listener();
  };
  socket.on("drain", written);

  return {
    send(line) {
      waiting += line;
      if (waiting.length > EARLY_WRITE) write();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(write);
      }
    },
    get full() {
      return isFull();
    },
    drained() {
      if (!isFull()) return Promise.resolve();
      return new Promise((resolve) => listeners.push(resolve));
    },
    flushed() {
      const text = waiting;
      waiting = "";
      return new Promise((resolve) => socket.write(text, () => resolve()));
    },
  };
}
