"use client";

import { useEffect, useState } from "react";
import { errorMessage } from "#lib/rules/text/error-message.ts";

interface Loaded<T> {
  /** Undefined until it has come. */
  readonly value?: T;
  readonly failure?: string;
  readonly retry: () => void;
}

/** Loads a value for a key, once. Without a key, it loads nothing. A value of another key is not returned. */
export function useLoaded<T>(key: string | undefined, load: (key: string) => Promise<T>): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ key: string; attempt: number; value?: T; failure?: string }>();
  useEffect(() => {
    if (key === undefined) return;
    let isWanted = true;
    load(key).then(
      (value) => isWanted && setLoaded({ key, attempt, value }),
      (error: unknown) => isWanted && setLoaded({ key, attempt, failure: errorMessage(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key, load, attempt]);
  const retry = (): void => setAttempt(attempt + 1);
  if (key === undefined || loaded?.key !== key || loaded.attempt !== attempt) return { retry };
  const { value, failure } = loaded;
  return { value, failure, retry };
}
