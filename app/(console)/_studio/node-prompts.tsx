"use client";

import { useCallback, useEffect, useMemo } from "react";
import { assistantApi } from "#lib/client/assistants.ts";
import { isObject, type JsonObject } from "#lib/protocol/json.ts";
import { promptsByNode } from "#lib/rules/forms/schema-form.ts";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { useRead } from "../_ui/use-read.ts";
import { useStudio } from "./studio-context.ts";

const UNREAD: JsonObject | undefined = undefined;

/** Shows the prompts that a node takes from the context, as the next run gets them. */
export function NodePrompts({ node }: { node: string }) {
  const { info, options, settings, base, deployment } = useStudio();
  const schema = info.schemas?.context_schema;
  const prompts = useMemo(() => promptsByNode(schema).find((one) => one.node === node)?.prompts ?? [], [schema, node]);
  const { assistant } = options;
  const hasPrompts = prompts.length > 0;
  const read = useCallback(async () => (await assistantApi(base).get(assistant)).context, [base, assistant]);
  const { value: stored, failure, refresh } = useRead<JsonObject | undefined>(read, UNREAD);
  useEffect(() => {
    if (hasPrompts) void refresh();
  }, [hasPrompts, refresh]);
  if (!hasPrompts) return null;
  return (
    <section aria-label="Prompts" className="flex flex-col gap-2.5">
      <h3 className="text-small font-medium text-ink-3">Prompts</h3>
      {prompts.map(({ name, label, schema: { default: usual } }) => {
        const [text, from] = valueOf(name, [
          [settings.context, "set for this run"],
          [stored, "of the assistant"],
          [{ [name]: usual }, "default of the graph"],
        ]);
        return (
          <div key={name}>
            <div className="text-ink-2">
              {label} <span className="text-small text-ink-3">({from})</span>
            </div>
            <p className="mt-1 max-h-60 overflow-y-auto rounded-control bg-well px-3 py-2 wrap-anywhere whitespace-pre-wrap">
              {stored === undefined && failure === undefined ? "…" : text}
            </p>
          </div>
        );
      })}
      {failure === undefined ? null : (
        <p className="text-small text-bad">The prompts of the assistant could not be read: {failure}</p>
      )}
      <ButtonLink
        href={`${deploymentPath(deployment)}/assistants?assistant=${encodeURIComponent(assistant)}&tab=prompts`}
        prefetch={false}
        className="w-fit"
      >
        Edit in Assistants
      </ButtonLink>
    </section>
  );
}

/** Returns the first text of that name, and whose it is. */
function valueOf(name: string, places: readonly (readonly [JsonObject | undefined, string])[]): [string, string] {
  for (const [members, from] of places) {
    const value = isObject(members) ? members[name] : undefined;
    if (typeof value === "string") return [value, from];
  }
  return ["", "not set"];
}
