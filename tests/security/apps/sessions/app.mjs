/** Returns every header that it receives. */
export const app = {
  fetch(request) {
    if (new URL(request.url).pathname !== "/headers") return new Response(null, { status: 404 });
    return Response.json(Object.fromEntries(request.headers));
  },
};
