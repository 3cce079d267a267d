"use client";

import { useEffect, useRef, useState } from "react";
import { type CallEnd, callAgent, type Frame } from "#lib/client/a2a.ts";
import type { Composed } from "#lib/rules/a2a/request-draft.ts";

/** The number of frames to keep. Older frames of a long stream are dropped. */
export const MOST_FRAMES = 500;

interface Exchange {
  readonly request: Composed | undefined;
  readonly frames: readonly Frame[];
  readonly end: CallEnd | "running" | undefined;
}

export interface CurrentExchange extends Exchange {
  readonly send: (request: Composed) => void;
  readonly stop: () => void;
}

/** Sends one call at a time, and keeps the frames of the last one. */
export function useExchange(path: string, onFrame: (frame: Frame) => void): CurrentExchange {
  const [exchange, setExchange] = useState<Exchange>({ request: undefined, frames: [], end: undefined });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const send = (request: Composed): void => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setExchange({ request, frames: [], end: "running" });
    const isCurrent = (): boolean => abort.current === controller;
    const addFrame = (frame: Frame): void => {
      if (!isCurrent()) return;
      setExchange((before) => ({ ...before, frames: [...before.frames, frame].slice(-MOST_FRAMES) }));
      onFrame(frame);
    };
    void callAgent(path, request, { signal: controller.signal, onFrame: addFrame }).then((end) => {
      if (isCurrent()) setExchange((before) => ({ ...before, end }));
    });
  };
  return { ...exchange, send, stop: () => abort.current?.abort() };
}
