"use client";

import { useRouter } from "next/navigation";
import { apiBase } from "@/lib/client/api-base.ts";
import type { ConsoleCaller } from "@/lib/rules/http/console-caller.ts";
import type { Caller } from "../_caller/caller.ts";
import { CallerButton } from "../_caller/caller-button.tsx";
import { CallerDoor } from "../_caller/caller-door.tsx";
import { useOwnHeaders } from "../_caller/use-own-headers.ts";
import type { ChatAssistant, ChosenAssistant } from "../_chat/assistant.ts";
import { Room, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Select } from "../_ui/select.tsx";
import { AgentTabs } from "./agent-tabs.tsx";
import { Endpoint } from "./endpoint.tsx";
import { useNews } from "./use-news.ts";

interface A2aRoomProps {
  deployment: string;
  /** As whom the console calls it, where the visitor gives no headers. */
  caller: ConsoleCaller;
  isLinkPrinted: boolean;
  assistant: ChosenAssistant;
  assistants: readonly ChatAssistant[];
  /** The deployment's API as callers elsewhere write it. */
  api: string;
  /** The server asks for a key. */
  keyed: boolean;
  /** Why nothing would answer. */
  unserved: string | undefined;
  /** The server's clock. */
  now: number;
}

/** An assistant as other agents see it, or what keeps the visitor out. */
export function A2aRoom(props: A2aRoomProps) {
  const { deployment, caller } = props;
  const own = useOwnHeaders(apiBase(deployment));
  if (own === undefined && (caller === "closed" || caller === "disabled")) {
    const room = { label: "A2A", path: "a2a" };
    return <CallerDoor deployment={deployment} caller={caller} isLinkPrinted={props.isLinkPrinted} room={room} />;
  }
  // Another assistant, or another caller, is another page.
  return <OpenRoom key={`${props.assistant.id} ${own}`} {...props} calls={own === undefined ? caller : "own"} />;
}

function OpenRoom({
  deployment,
  calls,
  assistant,
  assistants,
  api,
  keyed,
  unserved,
  now,
}: A2aRoomProps & { calls: Caller }) {
  const router = useRouter();
  const onNews = useNews(deployment);
  const base = `/deployments/${encodeURIComponent(deployment)}`;
  const path = `/a2a/${encodeURIComponent(assistant.id)}`;
  const hrefOf = (id: string): string => {
    const query = new URLSearchParams(window.location.search);
    query.set("assistant", id);
    query.delete("task");
    return `${base}/a2a?${query}`;
  };
  return (
    <>
      <TopBar crumbs={[{ label: "Deployments", href: "/" }, { label: deployment, href: base }, { label: "A2A" }]}>
        <CallerButton deployment={deployment} caller={calls} next={`${base}/a2a`} />
        <Select
          label="Assistant"
          value={assistant.id}
          onChange={(event) => router.push(hrefOf(event.target.value), { scroll: false })}
          className="max-sm:max-w-36"
        >
          {assistants.map(({ id, name, error }) => (
            <option key={id} value={id}>
              {error ? `${name} (did not load)` : name}
            </option>
          ))}
        </Select>
      </TopBar>
      <Room>
        <h1 className="text-title font-semibold">{assistant.name} for other agents</h1>
        <p className="mt-1 mb-5 text-ink-2">
          Agents and their clients call it over Agent2Agent (A2A), versions 1.0 and 0.3 at one address.
        </p>
        <div className="flex flex-col gap-5">
          <Trouble base={base} unserved={unserved} error={assistant.error} />
          <Endpoint url={`${api}${path}`} />
          <AgentTabs
            deployment={deployment}
            assistant={assistant}
            path={`${apiBase(deployment)}${path}`}
            url={`${api}${path}`}
            keyed={keyed}
            onNews={onNews}
            now={now}
          />
        </div>
      </Room>
    </>
  );
}

function Trouble({ base, unserved, error }: { base: string; unserved: string | undefined; error: string | undefined }) {
  const action = <ButtonLink href={base}>See why on the overview</ButtonLink>;
  if (unserved) {
    return (
      <Notice tone="waiting" title="Nothing serves now" action={action}>
        {unserved} Calls are refused until then.
      </Notice>
    );
  }
  if (!error) return null;
  return (
    <Notice tone="bad" title="This graph did not load" action={action}>
      <pre className="font-mono text-code break-words whitespace-pre-wrap text-ink">{error}</pre>
    </Notice>
  );
}
