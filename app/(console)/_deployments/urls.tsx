import type { Addresses } from "../_shell/server.ts";
import { CopyField } from "../_ui/copy-field.tsx";

export function Urls({
  addresses: { api, bare, origin },
  ownRoutes,
  a2a,
  assistant,
}: {
  addresses: Addresses;
  /** The application has routes of its own. */
  ownRoutes: boolean;
  a2a: boolean;
  assistant: string | undefined;
}) {
  const path = `/.well-known/agent-card.json?assistant_id=${encodeURIComponent(assistant ?? "")}`;
  return (
    <div className="grid gap-x-3 gap-y-4 lg:grid-cols-2">
      <CopyField
        label="API URL"
        value={api}
        hint={
          bare ? (
            <>
              Also at <code className="font-mono">{bare}</code>
            </>
          ) : undefined
        }
      />
      {a2a && assistant !== undefined ? (
        <CopyField
          label="Agent card"
          value={`${api}${path}`}
          shown={`…${path}`}
          hint={`For A2A clients of ${assistant}`}
        />
      ) : null}
      {ownRoutes ? <OwnOrigin origin={origin} /> : null}
    </div>
  );
}

/** Shows the origin at which pages of the application work without restrictions. */
function OwnOrigin({ origin }: { origin: string | undefined }) {
  if (origin === undefined) {
    return (
      <p className="text-small text-ink-2 lg:col-span-2">
        Pages of this application need their own origin, which is not possible under an IP address: open the console
        under a host name, or set <code className="font-mono">PUBLIC_URL</code>.
      </p>
    );
  }
  return (
    <div className="lg:col-span-2">
      <CopyField label="Application URL" value={origin} />
      <p className="mt-1.5 text-small text-ink-3">
        <a className="text-accent underline" href={`${origin}/`} target="_blank" rel="noreferrer">
          Open the application’s pages
        </a>
        . At the API URL they have no scripts, cookies or service workers.
      </p>
    </div>
  );
}
