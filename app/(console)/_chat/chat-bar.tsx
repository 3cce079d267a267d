"use client";

import { Download, MessagesSquare, SquarePen, Wrench } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ExportFormat } from "#lib/client/export-chat.ts";
import { CallerButton } from "../_auth/caller-button.tsx";
import { TopBar } from "../_shell/top-bar.tsx";
import { Button, ButtonLink, IconButton } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { MenuButton } from "../_ui/menu-button.tsx";
import { Select } from "../_ui/select.tsx";
import { useChatContext } from "./chat-context.ts";

interface ChatBarProps {
  showTools?: boolean;
  onShowTools?: (show: boolean) => void;
  /** Left out if there is nothing to export. */
  onExport?: (format: ExportFormat) => void;
}

export function ChatBar({ showTools, onShowTools, onExport }: ChatBarProps) {
  const router = useRouter();
  const { deployment, caller, assistant, assistants, title, newChat, openList } = useChatContext();
  const base = deploymentPath(deployment);
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
      {onExport ? (
        <MenuButton
          label="Export"
          icon={<Download />}
          items={[
            { label: "Export as Markdown", icon: <Download />, onSelect: () => onExport("md") },
            { label: "Export as JSON", icon: <Download />, onSelect: () => onExport("json") },
          ]}
        />
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
