"use client";

import { LazyFailure } from "./_shell/lazy-failure.tsx";

/** Also catches errors of the layout of the signed-in pages, which their own error boundary does not. */
export default LazyFailure;
