/** A server of Node in this process, whose requests a test handles. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Serves until the test has ended. Resolves to the port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Opens a connection and sends the lines of a request with the beginning of its body. */
export async function send(port: number, lines: readonly string[], body = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(`${lines.join("\r\n")}\r\nhost: localhost\r\n\r\n${body}`);
  return socket;
}
