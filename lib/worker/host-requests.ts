/** Sends a graph's requests to the host, because the worker has no database of its own. */
import type { CheckpointChange } from "../protocol/checkpoints.ts";
import type { RequestOrigin, HostRequest } from "../protocol/host-requests.ts";
import type { RunError } from "../protocol/stream.ts";
import type { HostMessage } from "../protocol/worker.ts";
import type { HostChannel } from "./channel.ts";
import { tooLong } from "./longest.ts";

/** The error with which the host answered a request; `name` is the class name of the error there. */
class HostError extends Error {}

export interface HostRequests {
  /** Resolves with the host's answer. Rejects with `HostError`. */
  ask(origin: RequestOrigin, ask: HostRequest): Promise<unknown>;
  /** Sends a change that needs no answer. Throws `HostError` once a change of the run was refused. */
  tell(origin: RequestOrigin, tell: CheckpointChange): void;
  /** Throws `HostError` if a change of the run was refused. */
  throwIfRefused(origin: RequestOrigin): void;
  answer(message: Extract<HostMessage, { type: "answer" }>): void;
  refuse(message: Extract<HostMessage, { type: "refused" }>): void;
  /** Forgets what was refused, because the run has ended. */
  forget(origin: RequestOrigin): void;
}

export function createHostRequests(channel: HostChannel): HostRequests {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: HostError) => void }>();
  const refused = new Map<string, HostError>();
  let lastId = 0;
  const throwIfRefused = (origin: RequestOrigin): void => {
    const error = refused.get(nameOf(origin));
    if (error) throw error;
  };
  return {
    throwIfRefused,
    tell(origin, tell) {
      throwIfRefused(origin);
      const { run, token } = origin;
      const line = `${JSON.stringify({ type: "tell", run, token, tell })}\n`;
      const error = tooLong(line);
      if (error) throw hostError(error);
      channel.send(line);
    },
    refuse: (message) => void refused.set(nameOf(message), hostError(message.error)),
    forget: (origin) => void refused.delete(nameOf(origin)),
    ask({ run, token }, ask) {
      const id = ++lastId;
      const line = `${JSON.stringify({ type: "ask", id, run, token, ask })}\n`;
      const error = tooLong(line);
      if (error) return Promise.reject(hostError(error));
      channel.send(line);
      return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
    },
    answer(message) {
      const waiting = open.get(message.id);
      open.delete(message.id);
      if (!("error" in message)) return waiting?.resolve(message.value);
      waiting?.reject(hostError(message.error));
    },
  };
}

function nameOf({ run, token }: RequestOrigin): string {
  return `${run} ${token}`;
}

function hostError({ error, message }: RunError): HostError {
  return Object.assign(new HostError(message), { name: error });
}
