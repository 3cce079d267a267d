import { apiBase } from "#lib/client/api-base.ts";
import type { ReactNode } from "react";
import { TopBar } from "../_shell/top-bar.tsx";
import { Card } from "../_ui/card.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { HeadersForm } from "./headers-form.tsx";

/** Replaces a page if the application requires authentication and the console has none. Offers the ways to sign in. */
export function AuthRequired({
  deployment,
  caller,
  isLinkPrinted,
  page,
}: {
  deployment: string;
  caller: "closed" | "disabled";
  isLinkPrinted: boolean;
  /** The requested page; `path` is below that of the deployment. */
  page: { label: string; path: string };
}) {
  const base = deploymentPath(deployment);
  return (
    <>
      <TopBar crumbs={[{ label: deployment, href: base }, { label: page.label }]} />
      <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-186 flex-col gap-4 px-4 py-6 outline-none">
        <div>
          <h1 className="text-title font-semibold">This application requires authentication</h1>
          <p className="mt-1 text-ink-2">
            It has its own authentication (<Mono>auth.path</Mono>), and{" "}
            {caller === "closed" ? (
              "the console is not authenticated yet. There are two ways to sign in."
            ) : (
              <>
                its configuration sets <Mono>auth.disable_studio_auth</Mono>, so the console must authenticate like any
                other caller.
              </>
            )}
          </p>
        </div>
        {caller === "closed" ? (
          <Option title="As a studio user">
            <p className="mb-3 text-ink-2">
              {isLinkPrinted ? (
                <>
                  Open the console with the link that the server printed at startup, or paste that link here. Its code
                  is also in
                </>
              ) : (
                "Enter the code from"
              )}{" "}
              the file <Mono>console-code</Mono> in the server&rsquo;s home folder (<Mono>GRAPHLIB_HOME</Mono>, by
              default <Mono>.graphlib</Mono>). It proves that you have access to the server.
            </p>
            <SignInForm
              next={`${base}/${page.path}`}
              label={isLinkPrinted ? "Link or code" : "Code"}
              button="Authenticate the console"
            />
          </Option>
        ) : null}
        <Option title="As a user of the application">
          <p className="mb-3 text-ink-2">Enter the headers that the application expects from its callers.</p>
          <HeadersForm base={apiBase(deployment)} next={`${base}/${page.path}`} />
        </Option>
      </main>
    </>
  );
}

function Option({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="px-4 pb-4">{children}</div>
    </Card>
  );
}

function Mono({ children }: { children: string }) {
  return <code className="font-mono text-code">{children}</code>;
}
