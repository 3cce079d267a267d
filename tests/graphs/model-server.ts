// Serves two small model providers on real sockets, with enough of their streams for the LangChain packages to read.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import { z } from "zod";

const RequestBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.unknown()).optional(),
});

type Recorded = { path: string; headers: IncomingHttpHeaders; body: z.infer<typeof RequestBody> };

export type ModelServer = AsyncDisposable & { url: string; requests: Recorded[] };

type Frame = { event?: string; data: string };

/** Calls calculate("6*7") first, then says "The answer is 42." in four pieces. */
async function serve(frames: (body: Recorded["body"]) => Frame[]): Promise<ModelServer> {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const { event, data } of frames(body))
        response.write(`${event ? `event: ${event}\n` : ""}data: ${data}\n\n`);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: urlOf(server), requests, [Symbol.asyncDispose]: () => close(server) };
}

async function readBody(request: IncomingMessage): Promise<Recorded["body"]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return RequestBody.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

const PIECES = ["The ", "answer ", "is ", "42."];

export function serveOpenai(): Promise<ModelServer> {
  return serve((body) => {
    const chunk = (delta: object, finish_reason: string | null = null): Frame => ({
      data: JSON.stringify({
        id: `chatcmpl-${body.messages.length}`,
        object: "chat.completion.chunk",
        created: 1,
        model: body.model,
        choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason }],
      }),
    });
    const done = { data: "[DONE]" };
    if (body.messages.at(-1)?.role === "tool") {
      return [...PIECES.map((content) => chunk({ content })), chunk({}, "stop"), done];
    }
    const call = (id: string | undefined, name: string | undefined, args: string) =>
      chunk({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: args } }] });
    return [
      call("call_x", "calculate", ""),
      call(undefined, undefined, '{"expression":"6*7"}'),
      chunk({}, "tool_calls"),
      done,
    ];
  });
}

export function serveAnthropic(): Promise<ModelServer> {
  return serve((body) => {
    const frame = (type: string, rest: object): Frame => ({ event: type, data: JSON.stringify({ type, ...rest }) });
    const usage = { input_tokens: 5, output_tokens: 5 };
    const answered = JSON.stringify(body.messages.at(-1)?.content).includes("tool_result");
    const block = answered
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_1", name: "calculate", input: {} };
    const deltas = answered
      ? PIECES.map((text) => ({ type: "text_delta", text }))
      : ['{"expression":', '"6*7"}'].map((partial_json) => ({ type: "input_json_delta", partial_json }));
    const message = {
      id: `msg_${body.messages.length}`,
      type: "message",
      role: "assistant",
      model: body.model,
      content: [],
      stop_reason: null,
      usage,
    };
    return [
      frame("message_start", { message }),
      frame("content_block_start", { index: 0, content_block: block }),
      ...deltas.map((delta) => frame("content_block_delta", { index: 0, delta })),
      frame("content_block_stop", { index: 0 }),
      frame("message_delta", { delta: { stop_reason: answered ? "end_turn" : "tool_use" }, usage }),
      frame("message_stop", {}),
    ];
  });
}
