"use client";

import { useEffect, useEffectEvent, useState } from "react";

/** A text reaches the page by up to three renderings: that of the editor, of its form, and of the page. */
const RENDERINGS = 4;

/** Returns a function that submits once what was typed just before has reached the page, so that it is sent as well. */
export function useLateSubmit(onSubmit: (() => void) | undefined): () => void {
  const [left, setLeft] = useState(0);
  const submit = useEffectEvent(() => onSubmit?.());
  useEffect(() => {
    if (left === 0) return;
    // Each step is a rendering on purpose: the steps are what is waited for.
    // oxlint-disable-next-line react/set-state-in-effect
    setLeft(left - 1);
    if (left === 1) submit();
  }, [left]);
  // React renders what a key event sets before what the editor has set, so the steps begin after the event.
  return () => void setTimeout(() => setLeft(RENDERINGS));
}
