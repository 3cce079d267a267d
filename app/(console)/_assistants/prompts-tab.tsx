"use client";

import { Workflow } from "lucide-react";
import type { AssistantDraft } from "#lib/rules/assistants/draft.ts";
import { isObject } from "#lib/protocol/json.ts";
import { type NodePrompts, withMember } from "#lib/rules/forms/schema-form.ts";
import { FieldView } from "../_form/field-view.tsx";

/** The prompts of the context under the nodes that read them. */
export default function PromptsTab({
  groups,
  draft,
  onDraft,
}: {
  groups: readonly NodePrompts[];
  draft: AssistantDraft;
  onDraft: (draft: AssistantDraft) => void;
}) {
  const context = isObject(draft.context) ? draft.context : {};
  return (
    <div className="flex flex-col gap-5">
      {groups.map(({ node, prompts }) => (
        <section key={node ?? ""} aria-label={node === undefined ? "Other prompts" : `Prompts of ${node}`}>
          <h3 className="mb-2 flex items-center gap-2 font-semibold">
            <Workflow aria-hidden className="size-4 text-ink-3" />
            {node === undefined ? "Other prompts" : <span className="font-mono text-code">{node}</span>}
          </h3>
          <div className="flex flex-col gap-4 rounded-card border border-line p-4">
            {prompts.map((field) => (
              <FieldView
                key={field.name}
                field={field}
                path={[field.name]}
                value={Object.hasOwn(context, field.name) ? context[field.name] : undefined}
                onChange={(value) => onDraft({ ...draft, context: withMember(context, field.name, value) })}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
