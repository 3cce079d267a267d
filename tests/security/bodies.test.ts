import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";

const MB = 1024 * 1024;
const app = resolve(import.meta.dirname, "apps/bodies");
const json = { "content-type": "application/json" };

describe.each(serverUsers)("a server of $as:", ({ user }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ user, app, env: { GRAPHLIB_BODY_BUDGET_MB: "12" } });
  });
  afterAll(() => server.stop());

  interface Begun {
    socket: Socket;
    /** Status line and headers of the answer. */
    answer: Promise<string>;
  }

  /** Sends the headers of a request, and only `sent` of its body. */
  function begin(path: string, headers: Record<string, string | number>, sent = ""): Begun {
    const { host, hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({ host, ...json, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${sent}`);
    const answer = new Promise<string>((done, failed) => {
      let text = "";
      socket.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        if (text.includes("\r\n\r\n")) done(text);
      });
      socket.once("error", failed);
      socket.once("close", () => failed(new Error(`the connection was closed: ${text}`)));
    });
    answer.catch(() => undefined);
    return { socket, answer };
  }

  function post(
    path: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> {
    return new Promise((done, failed) => {
      const sent = request(server.url + path, { method: "POST", headers: { ...json, ...headers } });
      sent.once("error", failed);
      sent.once("response", (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.once("end", () => done({ status: answer.statusCode ?? 0, text }));
      });
      sent.end(body);
    });
  }

  /** Waits until the server has noticed that the connections of a test are closed: their bodies count until then. */
  async function untilBudgetIsFree(): Promise<void> {
    const body = run("x".repeat(9 * MB));
    await expect.poll(async () => (await post("/runs/wait", body)).status, { timeout: 30_000 }).toBe(200);
  }

  test("an origin for which a pattern would backtrack is matched in linear time", async () => {
    // RegExp takes minutes for 30 characters.
    for (const length of [21, 100, 290]) {
      const origin = `https://${"a".repeat(length)}!`;
      const { status, headers } = await raw(`${server.url}/ok`, { headers: { origin } });
      expect({ status, allowed: headers["access-control-allow-origin"] }).toEqual({ status: 200, allowed: undefined });
    }
    const allowed = await raw(`${server.url}/ok`, { headers: { origin: "https://aaaaZaaa" } });
    expect(allowed.headers["access-control-allow-origin"]).toBe("https://aaaaZaaa");
  });

  describe("a push", () => {
    const length = { "content-length": 5 * MB };

    test.each([
      ["without a signature", {}],
      ["with a signature that is none", { "x-hub-signature-256": "sha256=00" }],
      ["with a wrong token", { "x-gitlab-token": "guessed" }],
    ])("%s is refused before its body is read", async (_, headers) => {
      const { socket, answer } = begin("/api/hooks/git", { ...length, ...headers, "x-github-event": "push" });
      expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
      socket.destroy();
    });

    test("with a wrong signature is not parsed", async () => {
      const signature = { "x-hub-signature-256": `sha256=${"0".repeat(64)}`, "x-github-event": "push" };
      expect((await post("/api/hooks/git", "{ not JSON", signature)).status).toBe(401);
    });
  });

  describe("a large body", () => {
    test("beyond the server's budget is refused before it is read, while other requests are served", async () => {
      const large = { "content-length": 9 * MB };
      const first = begin("/runs/wait", large, "{");
      await expect
        .poll(
          async () => {
            const second = begin("/runs/wait", large);
            const head = await Promise.race([
              second.answer,
              new Promise<string>((later) => setTimeout(later, 1_000, "")),
            ]);
            second.socket.destroy();
            return head;
          },
          { timeout: 20_000 },
        )
        .toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d/i);
      expect((await post("/runs/wait", run("small"))).status).toBe(200);
      expect((await raw(`${server.url}/ok`)).status).toBe(200);
      first.socket.destroy();
      await untilBudgetIsFree();
    });

    test("among 15 at once is answered or refused, and the worker stays alive", async () => {
      const pid = await workerOf();
      const body = run("x".repeat(5 * MB));
      const answers = await Promise.all(Array.from({ length: 15 }, () => post("/runs/wait", body)));
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      expect(await workerOf()).toBe(pid);
    });

    test("that is chunked is counted as it arrives", async () => {
      const first = begin("/runs/wait", { "content-length": 9 * MB }, "{");
      const second = begin("/runs/wait", { "transfer-encoding": "chunked" });
      const piece = "x".repeat(MB);
      for (let sent = 0; sent < 5; sent++) second.socket.write(`${MB.toString(16)}\r\n${piece}\r\n`);
      expect(await second.answer).toMatch(/^HTTP\/1\.1 503 /);
      first.socket.destroy();
      second.socket.destroy();
      await untilBudgetIsFree();
    });

    test.each([
      [
        "a million members",
        `{"assistant_id":"echo","input":{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":1`).join()}}}`,
        200,
      ],
      ["a number of a million digits", `{"assistant_id":"echo","input":${"1".repeat(MB)}}`, 200],
      ["brackets without end", "[".repeat(9 * MB), 422],
      ["half of it", `{"assistant_id":"echo","input":"${"x".repeat(MB)}`, 400],
      ["a list of a million wrong names", `{"assistant_id":"echo","interrupt_before":[${"1,".repeat(MB)}1]}`, 422],
      ["a million wrong modes", `{"assistant_id":"echo","stream_mode":[${"1,".repeat(MB)}1]}`, 422],
    ])("%s has a short answer", async (_, body, status) => {
      const answer = await post("/runs", body);
      expect(answer.status).toBe(status);
      if (status !== 200) expect(answer.text.length).toBeLessThan(10_000);
    });

    test("with a million wrong fields has a short answer", async () => {
      const answer = await post("/threads/search", `{"select":[${"1,".repeat(MB)}1]}`);
      expect(answer).toMatchObject({ status: 422, text: expect.stringContaining("at most 100 items") });
      expect(answer.text.length).toBeLessThan(10_000);
    });

    test("of 2 MB is returned as the input of its run", async () => {
      const { thread_id } = JSON.parse((await post("/threads", "{}")).text) as { thread_id: string };
      const input = { more: ["é".repeat(MB), { __proto__: null, a: [1] }] };
      const sent = await post(`/threads/${thread_id}/runs/wait`, JSON.stringify({ assistant_id: "echo", input }));
      expect(JSON.parse(sent.text)).toMatchObject(input);
      const { text } = await raw(`${server.url}/threads/${thread_id}/runs`);
      expect(JSON.parse(text)).toMatchObject([{ status: "success", kwargs: { input } }]);
    });

    test("that is compressed is refused", async () => {
      const answer = await post("/runs/wait", "anything", { "content-encoding": "gzip" });
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("content-encoding") });
    });
  });

  test(
    "a body that stops arriving is cut within 90 s, and a stream without events is not",
    { timeout: 100_000 },
    async () => {
      const started = performance.now();
      const slow = begin("/runs/wait", { "content-length": 1_000 }, "{");
      const quiet = await fetch(`${server.url}/threads/${crypto.randomUUID()}/stream/events`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ channels: ["lifecycle"] }),
      });
      let ended = false;
      void quiet.body
        ?.pipeTo(new WritableStream())
        .finally(() => (ended = true))
        .catch(() => undefined);
      expect(await slow.answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(performance.now() - started).toBeGreaterThan(29_000);
      expect({ status: quiet.status, ended }).toEqual({ status: 200, ended: false });
    },
  );

  test("a connection that pipelines 20,000 requests is closed, and others are served", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const over = new Promise<string>((done) => {
      socket.once("error", () => done("ended"));
      socket.once("close", () => done("ended"));
    });
    socket.resume();
    socket.write("GET /ok HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20_000));
    expect(await over).toBe("ended");
    expect((await raw(`${server.url}/ok`)).status).toBe(200);
  });

  test("the OpenAPI document is answered with 304 to a client that has it", async () => {
    const first = await raw(`${server.url}/api/openapi.json`);
    const etag = String(first.headers.etag);
    const again = await raw(`${server.url}/api/openapi.json`, { headers: { "if-none-match": etag } });
    expect([first.status, again.status, again.text]).toEqual([200, 304, ""]);
    const elsewhere = await raw(`${server.url}/api/openapi.json`, { headers: { host: "other.localhost" } });
    expect(elsewhere.text).toContain("http://other.localhost/api");
  });

  function run(text: string): string {
    return JSON.stringify({ assistant_id: "echo", input: { more: [text] } });
  }

  /** Returns the id of the worker's process. Another id means that the worker was restarted. */
  async function workerOf(): Promise<unknown> {
    return (JSON.parse((await post("/runs/wait", run("who"))).text) as { pid: number }).pid;
  }
});
