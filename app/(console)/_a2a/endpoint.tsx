import type { ReactNode } from "react";
import { CARD_PATH } from "#lib/client/a2a-card.ts";
import { CopyField } from "../_ui/copy-field.tsx";

/** Shows the URLs for A2A clients, each with the client library that takes it. */
export function Endpoint({ url }: { url: string }) {
  const tail = url.slice(url.indexOf("/a2a/"));
  return (
    <section aria-label="Endpoint" className="grid gap-x-3 gap-y-4 lg:grid-cols-3">
      <CopyField
        label="Base URL"
        value={`${url}/`}
        shown={`…${tail}/`}
        hint={
          <>
            JavaScript 1.x, with the slash: <Mono>createFromUrl(url)</Mono>
          </>
        }
      />
      <CopyField
        label="Agent card"
        value={`${url}${CARD_PATH}`}
        shown={`…${tail}${CARD_PATH}`}
        hint={
          <>
            JavaScript 0.3: <Mono>A2AClient.fromCardUrl(url)</Mono>
          </>
        }
      />
      <CopyField
        label="Agent URL"
        value={url}
        shown={`…${tail}`}
        hint={
          <>
            Python: <Mono>A2ACardResolver(http, base_url=url)</Mono>
          </>
        }
      />
    </section>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return <code className="font-mono">{children}</code>;
}
