"use client";

import type { ReactNode } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";
import type { Caller } from "./caller.ts";
import { LazyAuthRequired } from "./lazy-auth-required.tsx";
import { useCustomHeaders } from "./use-custom-headers.ts";

/** The props of every page that calls the API of a deployment. */
export interface CallerProps {
  deployment: string;
  /** The caller as which the console calls the deployment if the visitor enters no headers. */
  caller: ConsoleCaller;
  isLinkPrinted: boolean;
}

/** Shows the page to a visitor who may call the deployment, and asks any other one to authenticate. */
export function Authenticated({
  deployment,
  caller,
  isLinkPrinted,
  page,
  children,
}: CallerProps & {
  /** `path` is below that of the deployment. */
  page: { label: string; path: string };
  children: (caller: Caller) => ReactNode;
}) {
  const headers = useCustomHeaders(apiBase(deployment));
  if (headers !== undefined) return children("custom");
  if (caller !== "closed" && caller !== "disabled") return children(caller);
  return <LazyAuthRequired deployment={deployment} caller={caller} isLinkPrinted={isLinkPrinted} page={page} />;
}
