/** A route handler that does nothing but answer: the transport's own limit. What to answer is set at its start. */
const pieces = JSON.parse(process.env.BENCH_PIECES ?? "[]").map((text) => Buffer.from(text));

export async function POST(request) {
  await request.json();
  return answer();
}

export const GET = answer;

function answer() {
  let next = 0;
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces[next++];
      if (piece) controller.enqueue(piece);
      else if (!process.env.BENCH_OPEN) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}
