import { apiBase } from "@/lib/client/api-base.ts";
import type { ReactNode } from "react";
import { TopBar } from "../_shell/top-bar.tsx";
import { Card } from "../_ui/card.tsx";
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
  const base = `/deployments/${encodeURIComponent(deployment)}`;
  return (
    <>
      <TopBar crumbs={[{ label: deployment, href: base }, { label: page.label }]} />
      <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-186 flex-col gap-4 px-4 py-6 outline-none">
        <div>
          <h1 className="text-title font-semibold">This application asks who is calling</h1>
          <p className="mt-1 text-ink-2">
            It has an authentication of its own (<Mono>auth.path</Mono>), and{" "}
            {caller === "closed" ? (
              "does not know this page yet. There are two ways in."
            ) : (
              <>
                its configuration says <Mono>auth.disable_studio_auth</Mono>: the console is let in like everybody else.
              </>
            )}
          </p>
        </div>
        {caller === "closed" ? (
          <Option title="As a studio user">
            <p className="mb-3 text-ink-2">
              {isLinkPrinted ? (
                <>
                  Open the console by the link that the server printed when it started, or give that link here. Its code
                  is also in
                </>
              ) : (
                "Give the code that is in"
              )}{" "}
              the file <Mono>console-code</Mono> of the server&rsquo;s home folder (<Mono>GRAPHLIB_HOME</Mono>,{" "}
              <Mono>.graphlib</Mono> where nothing else is set). It shows that you are not just somebody who reaches
              this port.
            </p>
            <SignInForm
              next={`${base}/${page.path}`}
              label={isLinkPrinted ? "Link or code" : "Code"}
              button="Let the console in"
            />
          </Option>
        ) : null}
        <Option title="As one of its users">
          <p className="mb-3 text-ink-2">Send what the application expects of its callers.</p>
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
