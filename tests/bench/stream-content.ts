/** What a stream of a run says to its reader, without ids, metadata and the bytes around it. */

interface Message {
  type: string;
  content: unknown;
}

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "type" in value && "content" in value;

/** Returns every event's name with the messages that its data holds, in order. */
export function contentOf(stream: string): string[] {
  return stream.split(/\r?\n\r?\n/).flatMap((block) => {
    const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
    const [event, data] = [field("event"), field("data")];
    if (event === undefined || data === undefined) return [];
    return [`${event} ${JSON.stringify(messagesIn(JSON.parse(data)))}`];
  });
}

function messagesIn(value: unknown): Message[] {
  if (isMessage(value)) return [{ type: value.type, content: value.content }];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(messagesIn) : [];
}

/** Returns the first event in which two streams differ, as text. Two streams without any event differ as well. */
export function findDifference(ours: string, theirs: string): string | undefined {
  const [a, b] = [contentOf(ours), contentOf(theirs)];
  const at = Array.from({ length: Math.max(a.length, b.length, 1) }, (_, n) => n).find(
    (n) => a[n] === undefined || a[n] !== b[n],
  );
  return at === undefined ? undefined : `event ${at} is ${a[at] ?? "missing"} here and ${b[at] ?? "missing"} there`;
}
