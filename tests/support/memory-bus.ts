import type { Bus } from "../../lib/engine/ports/bus.ts";
import { createEmitter, type Emitter } from "../../lib/rules/emitter.ts";

/** A bus within the tests' process. It delivers in a later turn, as a network does, and can be cut. */
export function memoryBus(): { bus: Bus; cut(): void; mend(): void } {
  const topics = new Map<string, Emitter<[string]>>();
  const connected = createEmitter();
  let isConnected = true;
  const emitterOf = (topic: string): Emitter<[string]> => {
    const emitter = topics.get(topic) ?? createEmitter<[string]>();
    topics.set(topic, emitter);
    return emitter;
  };
  const bus: Bus = {
    publish(topic, message) {
      if (isConnected) setImmediate(() => emitterOf(topic).emit(message));
    },
    listen: (topic, listener) => ({ ready: Promise.resolve(), stop: emitterOf(topic).on(listener) }),
    wakeOne: () => undefined,
    waitForWake: () => Promise.resolve(undefined),
    isConnected: () => isConnected,
    onConnected: connected.on,
    close: () => Promise.resolve(),
  };
  return {
    bus,
    cut: () => void (isConnected = false),
    mend() {
      isConnected = true;
      connected.emit();
    },
  };
}
