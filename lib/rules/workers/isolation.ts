/** Decides which code a server may run, by the isolation that it can provide. */
import type { Source } from "../../protocol/sources.ts";
import { isInPlace } from "../sources/in-place.ts";

/** The reason why the second isolation layer is missing, and what the operator can do about it, as sentences for people. */
export interface NoFence {
  why: string;
  fix: string;
}

/** The isolation that this server provides. */
export interface IsolationFacts {
  /** Set when there is no isolation besides Node's permission model. */
  unfenced?: NoFence;
  /** The operator allows foreign code without that isolation. */
  allowUnfenced: boolean;
  /** Users of other machines can reach the server. */
  reachable: boolean;
  /** The control plane requires a key. */
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

/** Returns whether the operator may not know the authors: the source is a repository or an archive. */
function isForeign({ type }: Source): boolean {
  return type === "git" || type === "upload";
}

/** Returns why this code may not run here; undefined when it may. */
export function refuseCode({ source, settings }: CodeToIsolate, facts: IsolationFacts): CodeRefusal | undefined {
  if (isInPlace(source)) return undefined;
  const { unfenced, allowUnfenced, reachable, keyed, ownUsers } = facts;
  if (unfenced !== undefined && isForeign(source) && reachable && !allowUnfenced) {
    return {
      message: `Code from repositories and archives is not run on this server: ${unfenced.why}, so only Node's permission model would confine it, and others can reach the server`,
      fix: `${unfenced.fix} GRAPHLIB_UNFENCED=allow runs such code all the same, which trusts its authors with everything that the server's user can access.`,
    };
  }
  if (settings.install_scripts && unfenced !== undefined && !ownUsers && reachable && !allowUnfenced) {
    return {
      message: `The setting install_scripts needs a server that can hold scripts of packages: ${unfenced.why}, so they could do all that the server may, and others can reach it`,
      fix: `${unfenced.fix} GRAPHLIB_UNFENCED=allow runs them all the same.`,
    };
  }
  // A process can pass its connection to another one in undetectable ways. Then only a key distinguishes callers.
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

/** Returns the note for people about a deployment whose code has no second isolation layer. */
export function unfencedNote(source: Source, { unfenced, ownUsers }: IsolationFacts): string | undefined {
  if (unfenced === undefined || isInPlace(source)) return undefined;
  const isolate = ownUsers
    ? "Node's permission model and a user of its own isolate"
    : "Only Node's permission model isolates";
  return `${isolate} this code: ${unfenced.why}. ${unfenced.fix}`;
}
