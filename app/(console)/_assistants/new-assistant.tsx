"use client";

import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import type { AssistantApi } from "#lib/client/assistants.ts";
import type { AssistantDraft } from "#lib/rules/assistants/draft.ts";
import { Button } from "../_ui/button.tsx";
import AssistantForm from "./assistant-form.tsx";
import { SaveBar, useSaving } from "./save-bar.tsx";
import { useSchemas } from "./use-schemas.ts";

/** Makes an assistant: a graph with a configuration of its own. */
export default function NewAssistant({
  api,
  graphs,
  draft,
  onDraft,
  onCancel,
  onMade,
}: {
  api: AssistantApi;
  graphs: readonly string[];
  draft: AssistantDraft;
  onDraft: (draft: AssistantDraft) => void;
  onCancel: () => void;
  onMade: (id: string) => Promise<void>;
}) {
  const { schemas, isRead } = useSchemas(api, draft.graph_id);
  const [unreadable, setUnreadable] = useState<string>();
  const problem = unreadable ?? (draft.name.trim() === "" ? "The name is missing." : undefined);
  const saving = useSaving(problem === undefined, async () => {
    const { assistant_id } = await api.create({
      ...draft,
      context: draft.context ?? {},
      config: draft.config ?? {},
      metadata: draft.metadata ?? {},
    });
    await onMade(assistant_id);
  });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-6">
      <Button variant="quiet" onClick={onCancel} className="-ml-2 px-2! lg:hidden">
        <ArrowLeft /> Assistants
      </Button>
      <h2 className="mb-4 text-title font-semibold">New assistant</h2>
      <AssistantForm
        draft={draft}
        onDraft={onDraft}
        graphs={graphs}
        schemas={schemas}
        areSchemasRead={isRead}
        onUnreadable={setUnreadable}
        onSubmit={saving.save}
      />
      <SaveBar saving={saving} action="Create" changed="a new assistant" problem={problem} onDiscard={onCancel} />
    </div>
  );
}
