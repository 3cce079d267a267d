"use client";

import { MessagesSquare, SquarePen, Wrench } from "lucide-react";
import { useRouter } from "next/navigation";
import { CallerButton } from "../_auth/caller-button.tsx";
import { TopBar } from "../_shell/top-bar.tsx";
import { Button, ButtonLink, IconButton } from "../_ui/button.tsx";
import { Select } from "../_ui/select.tsx";
import { useChatContext } from "./chat-context.ts";

export function ChatBar({ showTools, onShowTools }: { showTools?: boolean; onShowTools?: (show: boolean) => void }) {
  const router = useRouter();
  const { deployment, caller, assistant, assistants, title, newChat, openList } = useChatContext();
  const base = `/deployments/${encodeURIComponent(deployment)}`;
  const toolsWord = showTools ? "Hide tools" : "Show tools";
  return (
    <TopBar crumbs={[{ label: deployment, href: base }, { label: title ?? "New thread" }]}>
      <IconButton label="Threads" aria-haspopup="dialog" onClick={openList} className="lg:hidden">
        <MessagesSquare />
      </IconButton>
      {title ? (
        <ButtonLink
          variant="quiet"
          href={newChat()}
          aria-label="New thread"
          title="New thread"
          className="px-2! lg:hidden"
        >
          <SquarePen />
        </ButtonLink>
      ) : null}
      <CallerButton deployment={deployment} caller={caller} next={newChat()} />
      {onShowTools ? (
        <Button
          variant="quiet"
          onClick={() => onShowTools(!showTools)}
          aria-label={toolsWord}
          title={toolsWord}
          className="max-sm:px-2!"
        >
          <Wrench /> <span className="max-sm:hidden">{toolsWord}</span>
        </Button>
      ) : null}
      <Select
        label="Assistant"
        value={assistant.id}
        onChange={(event) => router.push(newChat(event.target.value))}
        title={title ? "Another assistant starts a new thread" : undefined}
        className={`max-sm:max-w-36 ${title ? "max-sm:hidden" : ""}`}
      >
        {assistants.map(({ id, name, error }) => (
          <option key={id} value={id}>
            {error ? `${name} (did not load)` : name}
          </option>
        ))}
      </Select>
    </TopBar>
  );
}
