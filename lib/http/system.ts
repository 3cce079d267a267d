import { viewDeployment } from "../engine/deployments.ts";
import type { operations } from "../protocol/operations.ts";
import { type Handler, noSuchRoute } from "./endpoint.ts";

/** `GET /ok`: 200 while the worker is ready, with the graphs that could not be loaded and why; 503 otherwise. */
export const getHealth: Handler<typeof operations.getHealth> = async ({ deployment }) => {
  if (deployment.config?.http.disable_meta === true) return Response.json({ ok: true });
  const { status, problem, graphs, worker } = viewDeployment(deployment);
  if (worker.status !== "ready") {
    const reason = "reason" in worker ? worker.reason : undefined;
    const why = problem ?? reason ?? `worker ${worker.status}`;
    return Response.json({ ok: false, status, problem: why }, { status: 503 });
  }
  const problems = graphs.flatMap(({ graph, path, error }) => (error ? [{ graph, path, ...error }] : []));
  return Response.json(problems.length > 0 ? { ok: true, status, problems } : { ok: true });
};

/** `GET /info` */
export const getInfo: Handler<typeof operations.getInfo> = async ({ platform, deployment }) => {
  const { worker, a2a } = viewDeployment(deployment);
  return Response.json({
    version: platform.version,
    langgraph_js_version: worker.status === "ready" ? worker.langgraph : null,
    context: "js",
    flags: { assistants: true, crons: true, langsmith: false, langsmith_tracing_replicas: false, a2a },
    metadata: { deployment: deployment.name },
  });
};

/** Answers paths below a deployment that no operation has. */
export function unknownRoute(request: Request): Response {
  return new Response(noSuchRoute(request).message, { status: 404 });
}
