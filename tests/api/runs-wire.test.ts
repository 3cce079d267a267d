import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { raw, rawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };

describe("the stream of a run", () => {
  const post = (body: object, headers = {}) =>
    rawStream(`${server.url}/runs/stream`, { body: JSON.stringify(body), headers });

  test("has frames of event, one line of data, id and an empty line, each ended by one LF", async () => {
    const answer = await post({ assistant_id: "chat", input: hello });
    await answer.end();
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.headers["cache-control"]).toContain("no-cache");
    expect(answer.headers["x-accel-buffering"]).toBe("no");
    expect(answer.text()).toMatch(
      /^event: metadata\ndata: \{"run_id":"[0-9a-f-]{36}","attempt":1\}\nid: 0\n\nevent: values\n/,
    );
    expect(answer.text()).toMatch(/^(event: [^\n\r]+\ndata: [^\n\r]+\nid: \d+\n\n)+$/);
  });

  test("has the run's path as Content-Location, and a Location only when it is resumable", async () => {
    const plain = await post({ assistant_id: "chat", input: hello });
    expect(plain.headers["content-location"]).toMatch(/^\/runs\/[0-9a-f-]{36}$/);
    expect(plain.headers.location).toBeUndefined();
    const resumable = await post({ assistant_id: "chat", input: hello, stream_resumable: true });
    expect(resumable.headers.location).toBe(`${resumable.headers["content-location"]}/stream`);
  });

  test("sends events while the run goes on", async () => {
    const answer = await post({ assistant_id: "slow", input: hello, stream_mode: "custom", on_disconnect: "cancel" });
    await answer.until((event) => event.event === "custom" && event.data === '{"tick":2}');
    expect(answer.events().length).toBeLessThan(50);
    answer.leave();
  });

  test("sends a heartbeat every five seconds, as a comment without an event", async () => {
    const answer = await post({ assistant_id: "slow", input: hello, stream_mode: "updates", on_disconnect: "cancel" });
    await expect.poll(answer.text, { timeout: 12_000 }).toMatch(/: heartbeat\n[^]*: heartbeat\n/);
    expect(answer.events().map((event) => event.event)).toEqual(["metadata"]);
    answer.leave();
  });

  test("can be joined again from any event id, with the same bytes", async () => {
    const whole = await post({
      assistant_id: "chat",
      input: hello,
      stream_mode: ["values", "messages-tuple"],
      stream_resumable: true,
    });
    await whole.end();
    const frames = whole.text().split(/(?<=\n\n)/);
    const url = `${server.url}${whole.headers["content-location"]}/stream`;
    for (const [after, frame] of [-1, ...frames.keys()].entries()) {
      const joined = await raw(url, { headers: { "last-event-id": String(frame) } });
      expect(joined.text).toBe(frames.slice(after).join(""));
    }
    for (const start of ["-", "0-0"]) {
      expect((await raw(url, { headers: { "last-event-id": start } })).text).toBe(whole.text());
    }
    expect((await raw(url)).text).toBe("");
  });

  test("joined with a mode has only that mode, with its namespaces", async () => {
    const whole = await post({
      assistant_id: "family",
      input: hello,
      stream_mode: ["values", "updates"],
      stream_subgraphs: true,
    });
    await whole.end();
    const url = `${server.url}${whole.headers["content-location"]}/stream`;
    for (const query of ["stream_mode=updates", "stream_mode=%5B%22updates%22%5D"]) {
      const joined = await rawStream(`${url}?${query}`, { headers: { "last-event-id": "-1" } });
      const kinds = new Set((await joined.end()).map((event) => event.event?.split("|")[0]));
      expect(kinds).toEqual(new Set(["metadata", "updates"]));
      expect(joined.text()).toMatch(/event: updates\|child:/);
    }
  });

  test("is the same for two readers, from the event at which they joined", async () => {
    const first = await post({ assistant_id: "slow", input: hello, stream_mode: "custom", on_disconnect: "cancel" });
    await first.until((event) => event.data === '{"tick":1}');
    const url = `${server.url}${first.headers["content-location"]}/stream`;
    const second = await rawStream(url, { headers: { "last-event-id": "-1" } });
    const live = await rawStream(url);
    const tick = (event: { data: string }): boolean => event.data === '{"tick":6}';
    await Promise.all([first.until(tick), second.until(tick), live.until(tick)]);
    expect(second.text().startsWith(first.text().slice(0, 200))).toBe(true);
    expect(live.events()[0]?.event).toBe("custom");
    first.leave();
    await Promise.all([second.end(), live.end()]);
  });
});

describe("a client that leaves", () => {
  const statusOf = async (location: string): Promise<string> => {
    const followed = await rawStream(`${server.url}${location}/stream`, { headers: { "last-event-id": "-1" } });
    await followed.end();
    return followed.events().at(-1)?.event ?? "";
  };

  test("cancels its run with on_disconnect=cancel", async () => {
    const answer = await rawStream(`${server.url}/runs/stream`, {
      body: JSON.stringify({ assistant_id: "slow", input: hello, stream_mode: "custom", on_disconnect: "cancel" }),
    });
    await answer.until((event) => event.event === "custom");
    answer.leave();
    // The run would go on for half a minute. Its stream ends at once, without an error.
    expect(await statusOf(String(answer.headers["content-location"]))).toBe("custom");
  });

  test("does not cancel its run by default, and a reader with cancel_on_disconnect does", async () => {
    const answer = await rawStream(`${server.url}/runs/stream`, {
      body: JSON.stringify({ assistant_id: "slow", input: hello, stream_mode: "custom" }),
    });
    await answer.until((event) => event.event === "custom");
    answer.leave();
    const url = `${server.url}${answer.headers["content-location"]}/stream`;
    const watcher = await rawStream(`${url}?cancel_on_disconnect=1`);
    await watcher.until((event) => event.event === "custom");
    watcher.leave();
    expect(await statusOf(String(answer.headers["content-location"]))).toBe("custom");
  });
});
