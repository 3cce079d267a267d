import type { ReactNode } from "react";
import { viewDeployments } from "#lib/engine/deployments.ts";
import { platform } from "#lib/platform.ts";
import { isKeyed } from "../_shell/server.ts";
import { isSignedIn } from "../_shell/session.ts";
import { Shell } from "../_shell/shell.tsx";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  // The page redirects a visitor who is not signed in. Until then nothing of the console is shown.
  if (!(await isSignedIn())) return children;
  const deployments = viewDeployments(platform()).map(({ name, status, live, newest }) => ({
    name,
    status,
    live: live && { number: live.number },
    newest,
  }));
  return (
    <Shell deployments={deployments} version={platform().version} keyed={isKeyed()}>
      {children}
    </Shell>
  );
}
