import { isObject } from "@/lib/protocol/json.ts";
import type { Interrupt } from "@/lib/rules/transcript.ts";
import { Button } from "../_ui/button.tsx";
import { Pill } from "../_ui/status.tsx";

/** What a run waits for. It can be seen here; answering needs a thread, which this chat does not have yet. */
export function InterruptCard({ interrupt }: { interrupt: Interrupt }) {
  const { question, draft, rest, answers } = readValue(interrupt.value);
  const reason = `why-${interrupt.id}`;
  return (
    <section aria-label="Waiting for you" className="rounded-card border border-waiting bg-background p-4">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Pill tone="waiting">Waiting for you</Pill>
        <span className="font-medium">{question}</span>
      </div>
      {draft ? <p className="mt-2.5 break-words whitespace-pre-wrap text-ink-2">{draft}</p> : null}
      {rest ? (
        <pre className="mt-2.5 max-h-64 overflow-auto font-mono text-code break-words whitespace-pre-wrap">{rest}</pre>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        {answers.map((answer, index) => (
          <Button
            key={answer}
            disabled
            aria-describedby={reason}
            look={index === 0 ? "primary" : isRefusal(answer) ? "danger" : "outline"}
          >
            {capitalised(answer)}
          </Button>
        ))}
      </div>
      <p id={reason} className="mt-3 text-small text-ink-2">
        This run has no thread, so nothing can take it up again. Answers work once conversations have threads.
      </p>
    </section>
  );
}

interface Read {
  question: string;
  draft?: string;
  /** What has no place of its own, as JSON. */
  rest?: string;
  answers: readonly string[];
}

/** A graph may interrupt with anything. A question, a draft and a schema of the answer are known by these names. */
function readValue(value: unknown): Read {
  if (typeof value === "string") return { question: value, answers: ["answer"] };
  if (!isObject(value)) return { question: "The run waits for an answer", rest: json(value), answers: ["answer"] };
  const { question, draft, schema, ...others } = value;
  return {
    question: typeof question === "string" ? question : "The run waits for an answer",
    draft: typeof draft === "string" ? draft : undefined,
    rest: Object.keys(others).length > 0 ? json(others) : undefined,
    answers: choicesOf(schema) ?? ["answer"],
  };
}

/** The first property of the answer's JSON Schema that lists its values. */
function choicesOf(schema: unknown): string[] | undefined {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.values(schema.properties) : [];
  const listed = properties.find((one) => isObject(one) && Array.isArray(one.enum));
  return isObject(listed) && Array.isArray(listed.enum)
    ? listed.enum.filter((one) => typeof one === "string")
    : undefined;
}

const isRefusal = (answer: string): boolean => /^(?:reject|no|deny|cancel|discard)/i.test(answer);
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const json = (value: unknown): string => JSON.stringify(value, null, 2);
