"use client";

import { useCallback, useRef, useState } from "react";
import { errorMessage } from "#lib/rules/text/error-message.ts";

/**
 * Reads a value whenever `refresh` is called. Only the newest request counts. A failed one keeps the last value, which
 * `read` is given.
 */
export function useRead<T>(read: (last: T) => Promise<T>, initial: T) {
  const [value, setValue] = useState(initial);
  const last = useRef(initial);
  const [failure, setFailure] = useState<string>();
  const newest = useRef(0);
  const refresh = useCallback(async () => {
    const request = ++newest.current;
    try {
      const found = await read(last.current);
      if (request !== newest.current) return;
      last.current = found;
      setValue(found);
      setFailure(undefined);
    } catch (error) {
      if (request === newest.current) setFailure(errorMessage(error));
    }
  }, [read]);
  return { value, failure, refresh };
}
