/** Decides which process of a deployment gets a run. */

/** A process that is ready, with its position among all processes of the deployment. */
export interface ReadyProcess {
  position: number;
  /** Calls that it is handling. */
  calls: number;
}

/**
 * Returns the position of the process for a thread; undefined when none is ready. By rendezvous hashing, each process
 * scores a thread, and the ready one with the highest score gets it. So a thread moves only while its process is not
 * ready, and the threads of that process are spread over all others.
 */
export function positionForThread(
  thread: string,
  ready: readonly Pick<ReadyProcess, "position">[],
): number | undefined {
  const hash = hashOf(thread);
  let best: { position: number; score: number } | undefined;
  for (const { position } of ready) {
    const score = mix(hash ^ mix(position + 1));
    const isHigher = !best || score > best.score || (score === best.score && position < best.position);
    if (isHigher) best = { position, score };
  }
  return best?.position;
}

/**
 * Returns the position of the process with the fewest calls; undefined when none is ready. Equal ones take turns: the
 * first after `last`, the position that was chosen before.
 */
export function leastBusyPosition(ready: readonly ReadyProcess[], last: number): number | undefined {
  const fewest = Math.min(...ready.map(({ calls }) => calls));
  const equal = ready.filter(({ calls }) => calls === fewest).map(({ position }) => position);
  if (equal.length === 0) return undefined;
  const later = equal.filter((position) => position > last);
  return Math.min(...(later.length > 0 ? later : equal));
}

/** FNV-1a of the text's UTF-16 code units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: each bit of its input changes about half of the bits of its result. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
