"use client";

import { useParams } from "next/navigation";
import { MissingPage, type MissingProps } from "./missing-page.tsx";

/** Replaces the page of something that the deployment does not have. */
export function Missing(props: MissingProps) {
  const { deployment, ...ids } = useParams<Record<"deployment", string>>();
  return <MissingPage {...props} deployment={decodeURIComponent(deployment)} id={idOf(ids)} />;
}

/** Returns the part of the address that names what is missing. */
function idOf(ids: Readonly<Record<string, unknown>>): string | undefined {
  const [id] = Object.values(ids);
  return typeof id === "string" ? decodeURIComponent(id) : undefined;
}
