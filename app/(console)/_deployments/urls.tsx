import type { Addresses } from "../_shell/server.ts";
import { CopyField } from "../_ui/copy-field.tsx";

export function Urls({
  addresses: { api, bare },
  a2a,
  assistant,
}: {
  addresses: Addresses;
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
          hint={`Of ${assistant}, for A2A clients`}
        />
      ) : null}
    </div>
  );
}
