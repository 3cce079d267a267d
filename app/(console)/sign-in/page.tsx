import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Logo } from "../_shell/logo.tsx";
import { isSignedIn } from "../_shell/session.ts";
import { localPath } from "#lib/client/local-path.ts";
import { SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const next = localPath((await searchParams).next);
  if (await isSignedIn()) redirect(next);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-96 flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-2.5 font-semibold">
        <Logo /> Graphlib
      </div>
      <div>
        <h1 className="text-title font-semibold">Sign in</h1>
        <p className="mt-1 text-ink-2">
          Enter the API key of this server, the value of <code className="font-mono text-code">GRAPHLIB_API_KEY</code>.
          The operator of the server has it. Keys and accounts of the deployed applications do not work here.
        </p>
      </div>
      <SignInForm next={next} />
    </main>
  );
}
