/** JSON lines in both directions over one socket. What is sent within a tick leaves in one write. */
import { Socket } from "node:net";

export interface Channel {
  /** `line` ends in a newline. Order is kept. */
  send(line: string): void;
  /** True while the other side reads slower than is written here: stop producing until `drained`. */
  readonly full: boolean;
  /** Resolves as soon as the channel is not full. */
  drained(): Promise<void>;
  /** Resolves when all that was sent has left this process. */
  flushed(): Promise<void>;
}

export interface ChannelEvents {
  /** One line that came in, without its newline. */
  onLine(line: string): void;
  /** The other side is gone. */
  onClose(): void;
}

/** Characters that may wait; with more, the channel is full. */
const HIGH_WATER = 256 * 1024;
/** A tick that says more than this does not wait for its end. */
const EARLY_WRITE = 64 * 1024;

export function openChannel(fd: number, { onLine, onClose }: ChannelEvents): Channel {
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

function writeLines(socket: Socket): Channel {
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
