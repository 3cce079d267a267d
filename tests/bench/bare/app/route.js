/** This route only answers, so it measures the transport alone. `BENCH_PIECES` holds the pieces of the answer. */
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
