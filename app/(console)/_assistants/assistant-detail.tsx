"use client";

import { ArrowLeft, Copy, MessageCircle, Trash2, Workflow } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { type AssistantApi, isOfSystem } from "#lib/client/assistants.ts";
import { type AssistantDraft, changesOf, draftOf } from "#lib/rules/assistants/draft.ts";
import { afterSave, type AssistantEdit, isEdited, rebase, takeTheirs } from "#lib/rules/assistants/merge.ts";
import type { Assistant } from "#lib/protocol/assistants.ts";
import { promptsByNode } from "#lib/rules/forms/schema-form.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { lazyDialog, lazyPart } from "../_ui/lazy-part.ts";
import { Tabs } from "../_ui/tabs.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { Pill } from "../_ui/status.tsx";
import type { AssistantsQuery, AssistantTab } from "./assistants-query.ts";
import { MeanwhileNotice } from "./meanwhile-notice.tsx";
import { SaveBar, useSaving } from "./save-bar.tsx";
import { useSchemas } from "./use-schemas.ts";

const AssistantForm = lazyPart(() => import("./assistant-form.tsx"));
const PromptsTab = lazyPart(() => import("./prompts-tab.tsx"));
const VersionsTab = lazyPart(() => import("./versions-tab.tsx"));
const CompareTab = lazyPart(() => import("./compare-tab.tsx"));
const ConfirmDialog = lazyDialog(() => import("../_ui/confirm-dialog.tsx"));

interface AssistantDetailProps {
  deployment: string;
  api: AssistantApi;
  query: AssistantsQuery;
  assistant: Assistant;
  assistants: readonly Assistant[];
  graphs: readonly string[];
  /** The changes that are not saved. */
  edit: AssistantEdit | undefined;
  onEdit: (change: (before: AssistantEdit | undefined) => AssistantEdit | undefined) => void;
  onDuplicate: () => void;
  /** Called when something is stored. */
  onChange: () => Promise<void>;
  onDeleted: () => Promise<void>;
}

/** One assistant: its settings, prompts and versions, and runs beside another one. */
export default function AssistantDetail(props: AssistantDetailProps) {
  const { api, query, assistant, graphs, onEdit, onChange } = props;
  const edit = props.edit && isEdited(props.edit) ? props.edit : undefined;
  // A draft stays a change of what its writer has seen, whatever is stored meanwhile.
  const base = edit?.base ?? assistant;
  const stored = useMemo(() => draftOf(base), [base]);
  const draft = edit?.draft ?? stored;
  const changes = changesOf(stored, draft);
  const changed = Object.keys(changes);
  const onDraft = (next: AssistantDraft): void => onEdit(() => ({ ...edit, base, draft: next }));
  const { schemas, failure, isRead } = useSchemas(
    api,
    draft.graph_id === assistant.graph_id ? assistant.assistant_id : draft.graph_id,
  );
  const prompts = useMemo(() => promptsByNode(schemas?.context_schema), [schemas]);
  const [unreadable, setUnreadable] = useState<string>();
  const [discarded, setDiscarded] = useState(0);
  const saving = useSaving(changed.length > 0 && unreadable === undefined, async () => {
    const now = await api.get(assistant.assistant_id);
    if (now.version !== base.version) {
      onEdit((before) => before && rebase(before, now));
      return onChange();
    }
    const saved = await api.change(assistant.assistant_id, changes);
    await onChange();
    onEdit((before) => before && afterSave(before, draft, saved));
  });
  const tabs: { value: AssistantTab; title: string }[] = [
    { value: "settings", title: "Settings" },
    ...(prompts.length > 0 ? [{ value: "prompts" as const, title: "Prompts" }] : []),
    { value: "versions", title: "Versions" },
    { value: "compare", title: "Side by side" },
  ];
  const tab = tabs.find((one) => one.value === query.tab)?.value ?? "settings";
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-6">
      <Head {...props} />
      <Tabs label="Assistant" tabs={tabs} value={tab} onValue={query.showTab}>
        {failure === undefined ? null : (
          <div className="mb-4">
            <Notice tone="waiting" title="The schemas of the graph are not known">
              {failure} Its values are edited as JSON.
            </Notice>
          </div>
        )}
        <Suspense fallback={<Loading what="this tab" className="h-80" />}>
          {tab === "settings" ? (
            <AssistantForm
              key={discarded}
              draft={draft}
              onDraft={onDraft}
              graphs={graphs}
              schemas={schemas}
              areSchemasRead={isRead}
              onUnreadable={setUnreadable}
              onSubmit={saving.save}
            />
          ) : tab === "prompts" ? (
            <PromptsTab groups={prompts} draft={draft} onDraft={onDraft} />
          ) : tab === "versions" ? (
            <VersionsTab api={api} query={query} assistant={assistant} onActivated={onChange} />
          ) : (
            <CompareTab {...props} isEdited={changed.length > 0} />
          )}
        </Suspense>
      </Tabs>
      {tab === "settings" || tab === "prompts" ? (
        <SaveBar
          saving={saving}
          action={`Save as version ${assistant.version + 1}`}
          changed={changed.length > 0 ? changed.map((name) => WORDS[name] ?? name).join(", ") : undefined}
          problem={tab === "settings" ? unreadable : undefined}
          onDiscard={() => {
            onEdit(() => undefined);
            setDiscarded(discarded + 1);
          }}
        >
          {edit?.meanwhile ? (
            <MeanwhileNotice
              meanwhile={edit.meanwhile}
              onShow={(version) => query.showVersion(version)}
              onTakeTheirs={() => onEdit((before) => before && takeTheirs(before))}
            />
          ) : null}
        </SaveBar>
      ) : null}
    </div>
  );
}

const WORDS: Readonly<Record<string, string>> = { graph_id: "graph", config: "configuration" };

function Head({ deployment, api, query, assistant, onDuplicate, onDeleted }: AssistantDetailProps) {
  const { assistant_id: id, name, graph_id, version, updated_at } = assistant;
  const [isDeleting, setDeleting] = useState(false);
  const base = deploymentPath(deployment);
  // The graph's own assistant goes by the name of the graph, as chats call it.
  const chatId = isOfSystem(assistant) ? graph_id : id;
  return (
    <div className="mb-3 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button variant="quiet" onClick={() => query.open(null)} className="-ml-2 px-2! lg:hidden">
          <ArrowLeft /> Assistants
        </Button>
        <h2 className="min-w-0 text-title font-semibold wrap-anywhere">{name || "Untitled"}</h2>
        <Pill tone="neutral">{`Version ${version}`}</Pill>
        <span className="text-small text-ink-2">
          {graph_id} · changed <Moment at={updated_at} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink
          href={`${base}/studio/${encodeURIComponent(graph_id)}?assistant=${encodeURIComponent(id)}`}
          prefetch={false}
        >
          <Workflow /> Open in Studio
        </ButtonLink>
        <ButtonLink href={`${base}/chat?assistant=${encodeURIComponent(chatId)}`} prefetch={false}>
          <MessageCircle /> Chat
        </ButtonLink>
        <CopyButton text={id} label="Copy id of the assistant" variant="quiet">
          Copy id
        </CopyButton>
        <Button variant="quiet" onClick={onDuplicate}>
          <Copy /> Duplicate
        </Button>
        {isOfSystem(assistant) ? (
          <span className="text-small text-ink-2">It belongs to its graph, so it cannot be deleted.</span>
        ) : (
          <Button variant="quiet" className="text-bad!" onClick={() => setDeleting(true)}>
            <Trash2 /> Delete
          </Button>
        )}
      </div>
      {isDeleting ? (
        <Suspense>
          <ConfirmDialog
            title="Delete this assistant?"
            action="Delete"
            busy="Deleting…"
            onClose={() => setDeleting(false)}
            onConfirm={async () => {
              await api.remove(id);
              await onDeleted();
            }}
          >
            <span className="font-medium text-ink">{name || "Untitled"}</span> is deleted with all its versions. Its
            runs are stopped and deleted, its threads stay. This cannot be undone.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </div>
  );
}
