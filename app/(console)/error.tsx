"use client";

import { Failure } from "./_shell/failure.tsx";

/** Also catches errors of the layout of the signed-in pages, which their own error boundary does not. */
export default Failure;
