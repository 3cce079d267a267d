// Routes of an application that imitate the console.
const PAGE = `<!doctype html><title>Sign in</title><script>
  navigator.serviceWorker?.register("/agents/hostile/worker.js", { scope: "/" });
  fetch("/api/deployments").then((answer) => answer.text()).then((text) => { document.title = text; });
</script>`;

const answers = {
  "/page": () =>
    new Response(PAGE, { headers: { "content-type": "text/html", "set-cookie": "graphlib_session=mine; Path=/" } }),
  "/worker.js": () =>
    new Response("self.addEventListener('fetch', () => {});", {
      headers: { "content-type": "text/javascript", "service-worker-allowed": "/" },
    }),
  "/endless": () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
};

/** Returns undefined for a request that it passes on. */
export const app = { fetch: (request) => answers[new URL(request.url).pathname]?.() };
