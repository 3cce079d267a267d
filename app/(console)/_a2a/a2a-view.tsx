"use client";

import { useRouter } from "next/navigation";
import { apiBase } from "#lib/client/api-base.ts";
import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";
import { useThreadChanges } from "../_shell/use-thread-changes.ts";
import type { Caller } from "../_auth/caller.ts";
import { CallerButton } from "../_auth/caller-button.tsx";
import { LazyAuthRequired } from "../_auth/lazy-auth-required.tsx";
import { useCustomHeaders } from "../_auth/use-custom-headers.ts";
import type { ChatAssistant, ChosenAssistant } from "../_chat/assistant.ts";
import { deploymentCrumbs, PageContent, TopBar } from "../_shell/top-bar.tsx";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Notice } from "../_ui/notice.tsx";
import { Select } from "../_ui/select.tsx";
import { AgentTabs } from "./agent-tabs.tsx";
import { Endpoint } from "./endpoint.tsx";

interface A2aViewProps {
  deployment: string;
  /** The caller as which the console calls the deployment if the visitor enters no headers. */
  caller: ConsoleCaller;
  isLinkPrinted: boolean;
  assistant: ChosenAssistant;
  assistants: readonly ChatAssistant[];
  /** The public URL of the deployment's API. */
  api: string;
  /** True if the server requires an API key. */
  keyed: boolean;
  /** The reason why calls would fail now. */
  unserved: string | undefined;
}

/** Shows an assistant as other agents see it, or asks the visitor to authenticate. */
export function A2aView(props: A2aViewProps) {
  const { deployment, caller, assistant } = props;
  const headers = useCustomHeaders(apiBase(deployment));
  // The key resets the view for another assistant or another caller.
  if (headers !== undefined) return <AgentView key={`${assistant.id} ${headers}`} {...props} activeCaller="custom" />;
  if (caller === "closed" || caller === "disabled") {
    const page = { label: "A2A", path: "a2a" };
    return <LazyAuthRequired deployment={deployment} caller={caller} isLinkPrinted={props.isLinkPrinted} page={page} />;
  }
  return <AgentView key={assistant.id} {...props} activeCaller={caller} />;
}

function AgentView({
  deployment,
  activeCaller,
  assistant,
  assistants,
  api,
  keyed,
  unserved,
}: A2aViewProps & { activeCaller: Caller }) {
  const router = useRouter();
  const subscribe = useThreadChanges(deployment);
  const base = deploymentPath(deployment);
  const path = `/a2a/${encodeURIComponent(assistant.id)}`;
  const hrefOf = (id: string): string => {
    const query = new URLSearchParams(window.location.search);
    query.set("assistant", id);
    query.delete("task");
    return `${base}/a2a?${query}`;
  };
  return (
    <>
      <TopBar crumbs={deploymentCrumbs(deployment, "A2A")}>
        <CallerButton deployment={deployment} caller={activeCaller} next={`${base}/a2a`} />
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
      <PageContent>
        <h1 className="text-title font-semibold">{assistant.name} over A2A</h1>
        <p className="mt-1 mb-5 text-ink-2">
          Other agents and clients call it over the Agent2Agent protocol (A2A), versions 1.0 and 0.3, at one URL.
        </p>
        <div className="flex flex-col gap-5">
          <Problem base={base} unserved={unserved} error={assistant.error} />
          <Endpoint url={`${api}${path}`} />
          <AgentTabs
            deployment={deployment}
            assistant={assistant}
            path={`${apiBase(deployment)}${path}`}
            url={`${api}${path}`}
            keyed={keyed}
            subscribe={subscribe}
          />
        </div>
      </PageContent>
    </>
  );
}

function Problem({ base, unserved, error }: { base: string; unserved: string | undefined; error: string | undefined }) {
  const action = <ButtonLink href={base}>See why on the overview</ButtonLink>;
  if (unserved) {
    return (
      <Notice tone="waiting" title="The agent is not available" action={action}>
        {unserved} Calls fail until then.
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
