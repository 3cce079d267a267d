import { Check, CircleAlert, Info } from "lucide-react";
import type { CardCheck } from "#lib/rules/agent-card/checks.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";

const STYLES: Record<CardCheck["result"], { icon: typeof Check; classes: string; word: string }> = {
  passed: { icon: Check, classes: "text-ok", word: "Passed" },
  failed: { icon: CircleAlert, classes: "text-bad", word: "Failed" },
  advice: { icon: Info, classes: "text-ink-3", word: "Off" },
};

/** The order of results. Failures come first, because they need action. */
const ORDER: readonly CardCheck["result"][] = ["failed", "passed", "advice"];

export function CardChecks({ checks, onReload }: { checks: readonly CardCheck[]; onReload: () => void }) {
  const failed = checks.filter((one) => one.result === "failed").length;
  const sorted = checks.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result));
  return (
    <Card
      title="Checks"
      aside={
        <div className="flex items-center gap-3">
          <output className={failed > 0 ? "text-bad" : "text-ok"}>
            {failed > 0 ? `${counted(failed, "check")} failed` : "All checks passed"}
          </output>
          <Button variant="quiet" onClick={onReload} className="-mr-2">
            Check again
          </Button>
        </div>
      }
    >
      <ul className="grid gap-x-8 px-4 pt-1 pb-3 lg:grid-cols-2">
        {sorted.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
    </Card>
  );
}

function CheckRow({ check: { title, result, found, fix } }: { check: CardCheck }) {
  const { icon: Icon, classes, word } = STYLES[result];
  return (
    <li className={`flex gap-2.5 py-1.5 ${result === "failed" ? "lg:col-span-2" : ""}`}>
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${classes}`} />
      <div className="min-w-0">
        <span className={result === "failed" ? "font-medium" : ""}>
          {title} <span className={`text-small ${classes}`}>{word}</span>
        </span>
        {found ? <div className="font-mono text-code break-words text-bad">{found}</div> : null}
        {fix ? <div className={result === "failed" ? "text-ink-2" : "text-small text-ink-2"}>{fix}</div> : null}
      </div>
    </li>
  );
}
