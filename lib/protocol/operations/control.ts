import * as z from "zod";
import {
  DeploymentCreate,
  DeploymentPatch,
  DeploymentRecord,
  EventsQuery,
  LogQuery,
  Queue,
  RevisionCreate,
  RevisionList,
  Rollback,
} from "../control.ts";
import { PreflightAnswer, PreflightRequest } from "../preflight.ts";
import { PushDelivery, PushDeliveryList } from "../push-deliveries.ts";
import { Hook, PushAnswer } from "../push.ts";
import { LogLine, Revision, RevisionChanges } from "../revisions.ts";
import { Upload } from "../sources.ts";
import { EnvironmentPatch, Variable } from "../variables.ts";

/** One operation of the control plane. Its path is below `/api`. */
export interface ControlOperation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /**
   * The answer if it is not JSON. `events`: server-sent events. `lines`: JSON, or server-sent events if the caller
   * accepts them. `empty`: 204.
   */
  readonly answer?: "events" | "lines" | "empty";
  /** Schema of the JSON. */
  readonly result?: z.ZodType;
  /** HTTP status if it is not 200. */
  readonly status?: 201 | 202;
  /** Set when the body is an archive. */
  readonly archive?: true;
  /** Set when a signature over the body authenticates the request instead of a key, from any origin. */
  readonly signed?: true;
  readonly summary: string;
}

const deployment = "/deployments/[deployment]";
const revision = `${deployment}/revisions/[revision]`;

/** All operations of the control plane, keyed by name. */
export const controlOperations = {
  listDeployments: {
    method: "GET",
    path: "/deployments",
    result: z.array(DeploymentRecord),
    summary: "List deployments",
  },
  createDeployment: {
    method: "POST",
    path: "/deployments",
    body: DeploymentCreate,
    result: DeploymentRecord,
    status: 201,
    summary: "Deploy an application from a source",
  },
  getQueue: {
    method: "GET",
    path: "/queue",
    result: Queue,
    summary: "Count the runs of all deployments that wait or are under way",
  },
  deploymentEvents: {
    method: "GET",
    path: "/deployments/events",
    query: EventsQuery,
    answer: "events",
    summary: "Follow the states of all deployments, and a revision and a log of one",
  },
  getDeployment: { method: "GET", path: deployment, result: DeploymentRecord, summary: "Get a deployment" },
  updateDeployment: {
    method: "PATCH",
    path: deployment,
    body: DeploymentPatch,
    result: DeploymentRecord,
    summary: "Change a deployment's source, settings or environment, from its next revision on",
  },
  deleteDeployment: {
    method: "DELETE",
    path: deployment,
    query: z.object({ confirm: z.string().optional() }),
    answer: "empty",
    summary: "Delete a deployment with all its data; `confirm` is its name",
  },
  stopDeployment: {
    method: "POST",
    path: `${deployment}/stop`,
    result: DeploymentRecord,
    summary: "Stop a deployment",
  },
  startDeployment: {
    method: "POST",
    path: `${deployment}/start`,
    result: DeploymentRecord,
    summary: "Start a stopped deployment",
  },
  listRevisions: {
    method: "GET",
    path: `${deployment}/revisions`,
    query: RevisionList,
    result: z.array(Revision),
    summary: "List a deployment's revisions, newest first",
  },
  createRevision: {
    method: "POST",
    path: `${deployment}/revisions`,
    body: RevisionCreate,
    result: Revision,
    status: 201,
    summary: "Deploy the newest code of the source",
  },
  getRevision: { method: "GET", path: revision, result: Revision, summary: "Get a revision" },
  cancelRevision: { method: "POST", path: `${revision}/cancel`, result: Revision, summary: "Cancel a build" },
  revisionChanges: {
    method: "GET",
    path: `${revision}/changes`,
    query: z.object({ since: z.coerce.number().int().min(1).optional() }),
    result: RevisionChanges.nullable(),
    summary: "Compare a revision with the one that was live before it, or with revision `since`",
  },
  buildLog: {
    method: "GET",
    path: `${revision}/log`,
    query: LogQuery,
    answer: "lines",
    result: z.array(LogLine),
    summary: "Read or follow a revision's build log",
  },
  rollBack: {
    method: "POST",
    path: `${deployment}/rollback`,
    body: Rollback,
    result: Revision,
    status: 201,
    summary: "Serve the build of an earlier revision again",
  },
  getEnvironment: {
    method: "GET",
    path: `${deployment}/environment`,
    result: z.array(Variable),
    summary: "List variables",
  },
  updateEnvironment: {
    method: "PATCH",
    path: `${deployment}/environment`,
    body: EnvironmentPatch,
    result: z.array(Variable),
    summary: "Set and remove variables, and restart the code with them",
  },
  serverLog: {
    method: "GET",
    path: `${deployment}/log`,
    query: LogQuery,
    answer: "lines",
    result: z.array(LogLine),
    summary: "Read or follow the server log: the output of a deployment's code",
  },
  listPushDeliveries: {
    method: "GET",
    path: `${deployment}/a2a/deliveries`,
    query: PushDeliveryList,
    result: z.array(PushDelivery),
    summary: "List push notifications to A2A clients, newest first",
  },
  upload: {
    method: "PUT",
    path: "/uploads",
    archive: true,
    result: Upload,
    status: 201,
    summary: "Upload an archive to deploy: tar, tar.gz or zip",
  },
  preflight: {
    method: "POST",
    path: "/preflight",
    body: PreflightRequest,
    result: PreflightAnswer,
    summary: "Check a source without deploying it",
  },
  makeHook: {
    method: "POST",
    path: `${deployment}/hook`,
    result: Hook,
    status: 201,
    summary: "Create a webhook that deploys every push; its secret is shown once",
  },
  removeHook: { method: "DELETE", path: `${deployment}/hook`, answer: "empty", summary: "Delete the webhook" },
  push: {
    method: "POST",
    path: "/hooks/git",
    signed: true,
    result: PushAnswer,
    status: 202,
    summary: "Receive a push from a webhook of GitHub, GitLab, Gitea or Forgejo",
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    result: z.looseObject({ openapi: z.string() }),
    summary: "Get this description as OpenAPI 3.1",
  },
} as const satisfies Record<string, ControlOperation>;
