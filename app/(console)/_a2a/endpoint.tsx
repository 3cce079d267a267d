import type { ReactNode } from "react";
import { CARD_PATH } from "@/lib/client/a2a.ts";
import { CopyField } from "../_ui/copy-field.tsx";

/** The addresses that clients are given, and to which client which. */
export function Endpoint({ url }: { url: string }) {
  return (
    <section aria-label="Endpoint" className="grid gap-x-3 gap-y-4 lg:grid-cols-3">
      <CopyField
        label="Base URL"
        value={`${url}/`}
        hint={
          <>
            JavaScript 1.x: <Mono>new ClientFactory().createFromUrl(url)</Mono>, with the slash
          </>
        }
      />
      <CopyField
        label="Agent card"
        value={`${url}${CARD_PATH}`}
        hint={
          <>
            JavaScript 0.3: <Mono>A2AClient.fromCardUrl(url)</Mono>
          </>
        }
      />
      <CopyField
        label="Agent URL"
        value={url}
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
