"use client";

import { LazyFailure } from "../_shell/lazy-failure.tsx";

export default LazyFailure;
