"use client";

import { useState } from "react";
import { isObject } from "#lib/protocol/json.ts";
import { checkCard } from "#lib/rules/agent-card/checks.ts";
import { Card } from "../_ui/card.tsx";
import { CodeBlock } from "../_ui/code.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Segments } from "../_ui/segments.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { CardChecks } from "./card-checks.tsx";
import { CardSections } from "./card-sections.tsx";
import type { LoadedCard } from "./use-card.ts";

const FORMS = [
  { value: "all", label: "All versions" },
  { value: "v1", label: "v1.0" },
] as const;

/** Shows the served card: its checks, its contents and its JSON. */
export default function CardPanel({ card: { served, failure, reload } }: { card: LoadedCard }) {
  const [form, setForm] = useState<"all" | "v1">("all");
  const alert =
    failure === undefined ? null : (
      <LoadFailure what="The card" onRetry={() => void reload()}>
        {failure}
        {served ? " The card below may be out of date." : ""}
      </LoadFailure>
    );
  if (!served) return alert ?? <Waiting />;
  const shown = form === "all" ? served.forAll : served.v1;
  return (
    <div className="flex flex-col gap-3">
      {alert}
      <CardChecks checks={checkCard(served)} onReload={() => void reload()} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-2">
        <Card title="Contents" aside={<Segments label="Version" options={FORMS} value={form} onValue={setForm} />}>
          <CardSections card={isObject(shown) ? shown : {}} />
        </Card>
        <CodeBlock
          code={JSON.stringify(shown, null, 2)}
          title={form === "all" ? "Without the A2A-Version header" : "With A2A-Version: 1.0"}
          label="The card as JSON"
        />
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <>
      <Loading what="the card" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-56 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    </>
  );
}
