"use client";

import { useMemo, useRef } from "react";
import { type AssistantDraft, configSchema } from "#lib/rules/assistants/draft.ts";
import type { GraphSchemas } from "#lib/protocol/assistants.ts";
import { isObject } from "#lib/protocol/json.ts";
import { SchemaForm } from "../_form/schema-form.tsx";
import { Card } from "../_ui/card.tsx";
import { BOX, Frame, SelectField, TextField } from "../_ui/field.tsx";
import { Loading } from "../_ui/skeleton.tsx";

interface AssistantFormProps {
  draft: AssistantDraft;
  onDraft: (draft: AssistantDraft) => void;
  graphs: readonly string[];
  /** The schemas of the draft's graph; undefined while they are not known. */
  schemas: GraphSchemas | undefined;
  /** False while they are being read. A form that is drawn before that would be an editor of JSON for good. */
  areSchemasRead: boolean;
  /** Called with the reason while a text is not JSON. */
  onUnreadable: (reason: string | undefined) => void;
  onSubmit: () => void;
}

/** Edits what makes an assistant: name, graph, context, configuration and metadata. */
export default function AssistantForm({
  draft,
  onDraft,
  graphs,
  schemas,
  areSchemasRead,
  onUnreadable,
  onSubmit,
}: AssistantFormProps) {
  const config = useMemo(() => configSchema(schemas?.config_schema), [schemas]);
  const reasons = useRef(new Map<string, string | undefined>());
  const unreadable = (part: string) => (reason: string | undefined) => {
    reasons.current.set(part, reason);
    onUnreadable([...reasons.current.values()].find((one) => one !== undefined));
  };
  const form = (part: "context" | "config" | "metadata", label: string, schema: unknown) => (
    <SchemaForm
      label={label}
      schema={schema}
      value={draft[part]}
      onChange={(value) => onDraft({ ...draft, [part]: value })}
      onUnreadable={unreadable(part)}
      onSubmit={onSubmit}
    />
  );
  return (
    <div className="flex flex-col gap-5">
      <Card title="About">
        <div className="flex flex-col gap-4 px-4 pt-1 pb-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Name"
              value={draft.name}
              onChange={(event) => onDraft({ ...draft, name: event.target.value })}
            />
            <SelectField
              label="Graph"
              value={draft.graph_id}
              onChange={(event) => onDraft({ ...draft, graph_id: event.target.value })}
            >
              {graphs.includes(draft.graph_id) ? null : <option value={draft.graph_id}>{draft.graph_id}</option>}
              {graphs.map((graph) => (
                <option key={graph} value={graph}>
                  {graph}
                </option>
              ))}
            </SelectField>
          </div>
          <Frame label="Description">
            {(control) => (
              <textarea
                {...control}
                rows={2}
                value={draft.description}
                onChange={(event) => onDraft({ ...draft, description: event.target.value })}
                className={`${BOX} field-sizing-content block min-h-15 py-2`}
              />
            )}
          </Frame>
        </div>
      </Card>
      <Card title="Context">
        <div className="px-4 pt-1 pb-4">
          <p className="mb-3 text-small text-ink-2">
            Every run of this assistant receives it. A request may override members.
          </p>
          {areSchemasRead ? (
            form("context", "Context", schemas?.context_schema ?? OBJECT)
          ) : (
            <Loading what="the fields of the context" className="h-24" />
          )}
        </div>
      </Card>
      <Card title="Configuration">
        <div className="px-4 pt-1 pb-4">
          {hasFields(schemas?.config_schema) ? (
            <p className="mb-3 text-small text-ink-2">
              The fields of <code className="font-mono text-code">configurable</code> are those of the context. Set them
              there, unless the graph’s code reads <code className="font-mono text-code">config.configurable</code>.
            </p>
          ) : null}
          {areSchemasRead ? (
            form("config", "Configuration", config)
          ) : (
            <Loading what="the fields of the configuration" className="h-24" />
          )}
        </div>
      </Card>
      <Card title="Metadata">
        <div className="px-4 pt-1 pb-4">
          <p className="mb-3 text-small text-ink-2">
            Saving merges it with what is stored: a member that you remove here stays there.
          </p>
          {form("metadata", "Metadata", OBJECT)}
        </div>
      </Card>
    </div>
  );
}

const OBJECT = { type: "object" };

/** The schema of the configuration is that of the context: a graph declares one for both. */
const hasFields = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema.properties) && Object.keys(schema.properties).length > 0;
