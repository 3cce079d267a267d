import type { StudioMessage, StudioStep } from "#lib/rules/studio/run.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { MessageText } from "./message-text.tsx";

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
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return (
    <li className="rounded-control bg-well px-3 py-2">
      <div className={`text-small ${failed ? "text-bad" : "text-ink-3"}`}>
        <bdi>{type}</bdi>
        {name ? " · " : ""}
        {name ? <bdi>{name}</bdi> : null}
        {failed ? " · failed" : ""}
      </div>
      {text === "" ? null : (
        <div className="mt-0.5 max-h-60 overflow-y-auto wrap-anywhere">
          <MessageText type={type} text={shown} />
        </div>
      )}
      {calls.map((call) => (
        <p key={call.id} className="mt-0.5 font-mono text-code wrap-anywhere text-ink-2">
          <bdi>{call.name}</bdi>(<bdi>{call.args.length > 300 ? `${call.args.slice(0, 300)}…` : call.args}</bdi>)
        </p>
      ))}
    </li>
  );
}
