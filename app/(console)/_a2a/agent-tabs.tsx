"use client";

import { useSearchParams } from "next/navigation";
import { Suspense, useState } from "react";
import { CARD_PATH } from "#lib/client/a2a-card.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import type { ChosenAssistant } from "../_chat/assistant.ts";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading } from "../_ui/skeleton.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import { replaceQuery } from "../_ui/replace-query.ts";
import { Tabs } from "../_ui/tabs.tsx";
import { useCard } from "./use-card.ts";

const CardPanel = lazyPart(() => import("./card-panel.tsx"));
const TryPanel = lazyPart(() => import("./try-panel.tsx"));
const TasksPanel = lazyPart(() => import("./tasks-panel.tsx"));

const TABS = [
  { value: "card", title: "Card" },
  { value: "try", title: "Try it" },
  { value: "tasks", title: "Tasks" },
] as const;

interface AgentTabsProps {
  deployment: string;
  assistant: ChosenAssistant;
  /** The path of the agent on this page's origin. */
  path: string;
  /** The public URL of the agent. */
  url: string;
  keyed: boolean;
  subscribe: SubscribeToThreads;
}

/** The tabs of an agent. The query parameter `show` selects one. */
export function AgentTabs({ deployment, assistant, path, url, keyed, subscribe }: AgentTabsProps) {
  const requested = useSearchParams().get("show");
  const shown = TABS.find((tab) => tab.value === requested)?.value ?? "card";
  const card = useCard(deployment, `${path}${CARD_PATH}`);
  // The tabs render in the browser only: they show responses to the browser, and calls with random ids.
  const mounted = useMounted();
  // Once opened, the panel stays mounted, so that the call and its response survive a change of tabs.
  const [isTryOpened, setTryOpened] = useState(false);
  if (shown === "try" && !isTryOpened) setTryOpened(true);
  const choose = (show: string): void => replaceQuery({ show, task: undefined });
  return (
    <Tabs label="Agent" tabs={TABS} value={shown} onValue={choose}>
      <Suspense fallback={<Loading what="this tab" className="h-80 rounded-card" />}>
        {!mounted ? (
          <Loading what="this tab" className="h-80 rounded-card" />
        ) : shown === "card" ? (
          <CardPanel card={card} />
        ) : shown === "tasks" ? (
          <TasksPanel
            deployment={deployment}
            assistant={assistant}
            path={path}
            subscribe={subscribe}
            pushes={card.pushes}
          />
        ) : null}
        {mounted && isTryOpened ? (
          <div hidden={shown !== "try"}>
            <TryPanel path={path} url={url} assistant={assistant} keyed={keyed} />
          </div>
        ) : null}
      </Suspense>
    </Tabs>
  );
}
