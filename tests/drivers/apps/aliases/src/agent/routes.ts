export const app = (request: Request) =>
  new URL(request.url).pathname === "/hello" ? new Response("hello") : undefined;
