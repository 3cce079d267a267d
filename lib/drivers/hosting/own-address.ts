import { createEmitter } from "../../rules/emitter.ts";

/** The address at which this server answers itself, known once it listens. */
export interface OwnAddress {
  /** Has no slash at the end, such as `http://127.0.0.1:2024`; undefined before the server listens. */
  origin(): string | undefined;
  port(): number | undefined;
  /** Notes that the server listens. */
  listening(origin: string): void;
  /** Calls back once it listens, at once where it does already. Returns a function that ends that. */
  onListening(listener: (origin: string) => void): () => void;
}

export function createOwnAddress(): OwnAddress {
  const listeners = createEmitter<[string]>();
  let known: string | undefined;
  return {
    origin: () => known,
    port: () => (known === undefined ? undefined : Number(new URL(known).port || "80")),
    listening(origin) {
      known = origin;
      listeners.emit(origin);
    },
    onListening(listener) {
      if (known !== undefined) listener(known);
      return listeners.on(listener);
    },
  };
}
