import { highlight, type Token } from "#lib/client/highlight.ts";
import { CopyButton } from "./copy-button.tsx";
import { Scroller } from "./scroller.tsx";

const INK: Record<Token["kind"], string> = {
  plain: "",
  string: "text-ok",
  comment: "text-ink-3",
  word: "text-accent",
};

/** Shows code with a bar that has its title and a copy button. */
export function CodeBlock({ code, title, label }: { code: string; title: string; label: string }) {
  return (
    <div className="overflow-hidden rounded-control bg-well">
      <div className="flex h-9 items-center justify-between pr-1.5 pl-3.5 text-small text-ink-2">
        {title}
        <CopyButton text={code} label={`Copy: ${label}`} />
      </div>
      <Scroller label={label} className="rounded-control px-3.5 pt-0.5 pb-3.5">
        <Code code={code} />
      </Scroller>
    </div>
  );
}

export function Code({ code }: { code: string }) {
  return (
    <pre className="w-fit font-mono text-code">
      <code>
        {highlight(code).map(({ at, kind, text }) => (
          <span key={at} className={INK[kind]}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  );
}
