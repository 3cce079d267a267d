"use client";

import { Failure } from "../_shell/failure.tsx";

export default Failure;
