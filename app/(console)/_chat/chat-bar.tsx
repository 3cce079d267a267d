"use client";

import { ChevronsUpDown, SquarePen, Wrench } from "lucide-react";
import { useRouter } from "next/navigation";
import { TopBar } from "../_shell/top-bar.tsx";
import { Button } from "../_ui/button.tsx";
import type { ChatAssistant } from "./assistant.ts";

export function ChatBar({
  deployment,
  assistant,
  assistants,
  showTools,
  onShowTools,
  onNew,
}: {
  deployment: string;
  assistant: ChatAssistant;
  assistants: readonly ChatAssistant[];
  showTools?: boolean;
  onShowTools?: (show: boolean) => void;
  onNew?: () => void;
}) {
  const router = useRouter();
  const base = `/deployments/${encodeURIComponent(deployment)}`;
  return (
    <TopBar crumbs={[{ label: deployment, href: base }, { label: "Chat" }]}>
      {onNew ? (
        <Button look="quiet" onClick={onNew} aria-label="New chat" title="New chat">
          <SquarePen /> <span className="max-sm:hidden">New chat</span>
        </Button>
      ) : null}
      {onShowTools ? (
        <Button
          look="quiet"
          onClick={() => onShowTools(!showTools)}
          aria-label={showTools ? "Hide tools" : "Show tools"}
          title={showTools ? "Hide tools" : "Show tools"}
        >
          <Wrench /> <span className="max-sm:hidden">{showTools ? "Hide tools" : "Show tools"}</span>
        </Button>
      ) : null}
      <label className="relative inline-flex items-center">
        <span className="sr-only">Assistant</span>
        <select
          value={assistant.id}
          onChange={(event) => router.replace(`${base}/chat?assistant=${encodeURIComponent(event.target.value)}`)}
          className="h-8 max-w-40 appearance-none truncate rounded-control border border-line-strong bg-raised pr-8 pl-3 font-medium hover:bg-well pointer-coarse:h-10"
        >
          {assistants.map(({ id, name, error }) => (
            <option key={id} value={id}>
              {error ? `${name} (did not load)` : name}
            </option>
          ))}
        </select>
        <ChevronsUpDown className="pointer-events-none absolute right-2.5 size-3.5 text-ink-3" />
      </label>
    </TopBar>
  );
}
