/** Characters that may wait to be stored. Above this, the worker is not read until half of them are. */
const HIGH_WATER = 8 * 1024 * 1024;

/** Work of one kind that a worker has sent and that is not stored yet. */
export interface Backlog {
  add(characters: number): void;
  remove(characters: number): void;
}

/** `setReading` sets whether the worker's messages are read, as far as this backlog is concerned. */
export function createBacklog(setReading: (isReading: boolean) => void): Backlog {
  let waiting = 0;
  return {
    add(characters) {
      waiting += characters;
      if (waiting > HIGH_WATER) setReading(false);
    },
    remove(characters) {
      waiting -= characters;
      if (waiting <= HIGH_WATER / 2) setReading(true);
    },
  };
}
