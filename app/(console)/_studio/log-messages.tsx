import type { StudioMessage, StudioStep } from "#lib/rules/studio/run.ts";
import { counted } from "#lib/rules/text/counted.ts";

const MOST_MESSAGES = 6;
const LONGEST = 4_000;

/** The messages of a step, streaming in place. */
export function LogMessages({ step: { messages, messagesLeftOut } }: { step: StudioStep }) {
  const all = [...messages];
  if (all.length === 0) return null;
  const left = all.length - MOST_MESSAGES + messagesLeftOut;
  return (
    <ul className="flex flex-col gap-2">
      {left > 0 ? <li className="text-small text-ink-3">{counted(left, "earlier message")}</li> : null}
      {all.slice(-MOST_MESSAGES).map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ul>
  );
}

function Message({ message }: { message: StudioMessage }) {
  const { type, name, text, calls, failed } = message;
  const cut = text.length > LONGEST;
  return (
    <li className="rounded-control bg-well px-3 py-2">
      <div className={`text-small ${failed ? "text-bad" : "text-ink-3"}`}>
        {type}
        {name ? ` · ${name}` : ""}
        {failed ? " · failed" : ""}
      </div>
      {text === "" ? null : (
        <p className="mt-0.5 max-h-60 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
          {cut ? `${text.slice(0, LONGEST)}…` : text}
        </p>
      )}
      {calls.map((call) => (
        <p key={call.id} className="mt-0.5 font-mono text-code wrap-anywhere text-ink-2">
          {call.name}({call.args.length > 300 ? `${call.args.slice(0, 300)}…` : call.args})
        </p>
      ))}
    </li>
  );
}
