import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { raw, rawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer();

const PAGE = ["deployments", { children: [["deployment", "default", "d", null], { children: ["(overview)", {}] }] }];
const TREE = ["", { children: ["(console)", { children: ["(signed-in)", { children: PAGE }] }] }, null];

/** Returns the pieces in which the response to a request of Next's router arrives. */
async function piecesOf(tree: readonly unknown[], encoding: string): Promise<string[]> {
  const headers = {
    rsc: "1",
    "accept-encoding": encoding,
    "next-router-state-tree": encodeURIComponent(JSON.stringify(tree)),
    connection: "close",
  };
  // Next wants a digest of these headers in the URL, and redirects to it.
  const { headers: redirect } = await raw(`${server.url}/deployments/default?_rsc=1`, { headers });
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const pieces: string[] = [];
  socket.on("data", (piece) => pieces.push(piece.toString("latin1")));
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${String(redirect.location)} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  await once(socket, "close");
  expect(pieces[0]).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(pieces[0]).toMatch(/content-type: text\/x-component/i);
  return pieces;
}

test("a page that is refreshed is sent whole, so that it does not break off when its server does", async () => {
  for (const encoding of ["br", "gzip"]) {
    const pieces = await piecesOf([...TREE, "refetch"], encoding);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toMatch(new RegExp(`content-encoding: ${encoding}`, "i"));
    expect(pieces[0]).toMatch(/\r\n0\r\n\r\n$/);
  }
});

test("a stream that is asked for like a refreshed page is not held back", async () => {
  const headers = { "next-router-state-tree": encodeURIComponent(JSON.stringify([...TREE, "refetch"])) };
  // Next answers at a path that the server's own routes do not have.
  for (const path of ["/api/deployments/events", "/api/deployments/events/"]) {
    const stream = await rawStream(server.url + path, { headers });
    expect(stream.headers["content-type"]).toMatch("text/event-stream");
    await stream.until(({ event }) => event === "deployments");
    stream.leave();
  }
});
