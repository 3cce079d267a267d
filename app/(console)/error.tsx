"use client";

import { Failure } from "./_shell/failure.tsx";

/** Also above the rooms' own layout, which has to render before they do. */
export default Failure;
