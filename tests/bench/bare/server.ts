/** Serves the bare route the way the product is served: Next in a plain Node server. Prints its port. */
import { createServer } from "node:http";
import next from "next";

const app = next({ dev: false, dir: import.meta.dirname, quiet: true });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : ""}`);
});
