import type { Turn } from "#lib/rules/threads/transcript.ts";

/** Shows the state after a run without messages, because the run may have changed it. */
export default function StateOnly({ turn }: { turn: Turn }) {
  const keys = Object.keys(turn.values ?? {});
  if (keys.length === 0 || turn.interrupts.length > 0 || turn.error) return null;
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3">
      <p className="mb-2 text-small text-ink-2">The run ended without a message. Its state:</p>
      <pre className="max-h-72 overflow-auto font-mono text-code break-words whitespace-pre-wrap">
        {JSON.stringify(turn.values, null, 2)}
      </pre>
    </div>
  );
}
