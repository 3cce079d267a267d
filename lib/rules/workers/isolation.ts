/** Which code a server may run, by what isolates that code there. */
import type { Source } from "../../protocol/sources.ts";
import { isInPlace } from "../sources/in-place.ts";

/** A missing fence: the reason, and what the operator can do about it, in sentences for people. */
export interface NoFence {
  why: string;
  fix: string;
}

/** How this server can isolate the code of deployments. */
export interface IsolationFacts {
  /** Set when no second fence stands beside Node's permission model. */
  unfenced?: NoFence;
  /** The operator lets foreign code run without that fence. */
  allowUnfenced: boolean;
  /** Others than this machine's own users can reach the server. */
  reachable: boolean;
  /** The control plane asks for a key. */
  keyed: boolean;
  /** Each deployment has a user of its own. */
  ownUsers: boolean;
}

export interface CodeToIsolate {
  source: Source;
  settings: { child_processes: boolean; addons: boolean; install_scripts: boolean };
}

export interface CodeRefusal {
  message: string;
  fix: string;
}

/** A repository or an archive: the operator may not know who wrote it. */
function isForeign({ type }: Source): boolean {
  return type === "git" || type === "upload";
}

/** Why this code may not run here; undefined when it may. */
export function refuseCode({ source, settings }: CodeToIsolate, facts: IsolationFacts): CodeRefusal | undefined {
  if (isInPlace(source)) return undefined;
  const { unfenced, allowUnfenced, reachable, keyed, ownUsers } = facts;
  if (unfenced !== undefined && isForeign(source) && reachable && !allowUnfenced) {
    return {
      message: `Code from repositories and archives is not run on this server: ${unfenced.why}, so nothing but Node's permission model would hold it, and others can reach the server`,
      fix: `${unfenced.fix} GRAPHLIB_UNFENCED=allow runs such code all the same, and says that its authors may have all that the server's user has.`,
    };
  }
  if (settings.install_scripts && unfenced !== undefined && !ownUsers && reachable && !allowUnfenced) {
    return {
      message: `The setting install_scripts needs a server that can hold scripts of packages: ${unfenced.why}, so they could do all that the server may, and others can reach it`,
      fix: `${unfenced.fix} GRAPHLIB_UNFENCED=allow runs them all the same.`,
    };
  }
  // A process can hand its connection to another one in ways that can't be looked up: then only a key tells callers apart.
  const startsProcesses = settings.child_processes || settings.addons;
  if (startsProcesses && !keyed && !ownUsers && (isForeign(source) || unfenced !== undefined)) {
    return {
      message:
        "The settings child_processes and addons need a server with a key: without one, a process of this deployment could manage the others",
      fix: "Set GRAPHLIB_API_KEY and start the server again, or leave both settings off.",
    };
  }
  return undefined;
}

/** What whoever looks at the deployment is told where its code has no second fence. */
export function unfencedNote(source: Source, { unfenced, ownUsers }: IsolationFacts): string | undefined {
  if (unfenced === undefined || isInPlace(source)) return undefined;
  const isolate = ownUsers
    ? "Node's permission model and a user of its own isolate"
    : "Only Node's permission model isolates";
  return `${isolate} this code: ${unfenced.why}. ${unfenced.fix}`;
}
