import type { ChosenAssistant } from "./assistant.ts";

/** Shows the assistant and its suggested questions in an empty thread. */
export function Starters({ assistant, onAsk }: { assistant: ChosenAssistant; onAsk: (question: string) => void }) {
  return (
    <div className="my-auto flex flex-col gap-5 pb-8">
      <div>
        <h2 className="text-title font-semibold">{assistant.name}</h2>
        {assistant.description ? <p className="mt-1 max-w-140 text-ink-2">{assistant.description}</p> : null}
      </div>
      <ul aria-label="Suggestions" className="grid gap-2 sm:grid-cols-2">
        {assistant.starters.map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="size-full rounded-card border border-line bg-background px-4 py-3 text-left text-ink-2 transition-colors hover:border-line-strong hover:bg-surface hover:text-ink"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
