"use client";

import { useMemo } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { assistantApi } from "#lib/client/assistants.ts";
import { useSchemas } from "../_assistants/use-schemas.ts";
import { SchemaForm, type SchemaFormProps } from "../_form/schema-form.tsx";
import { Loading } from "../_ui/skeleton.tsx";

/** The input of a cron's runs as a form, by the schema of its assistant's graph. A graph without one takes any JSON. */
export function CronInput({
  deployment,
  assistant,
  ...form
}: { deployment: string; assistant: string } & Pick<SchemaFormProps, "value" | "onChange" | "onUnreadable">) {
  const api = useMemo(() => assistantApi(apiBase(deployment)), [deployment]);
  const { schemas, isRead } = useSchemas(api, assistant);
  // A form that is drawn without its schema would be an editor of JSON for good.
  if (!isRead) return <Loading what="the input's form" className="h-24" />;
  return (
    <section aria-label="Input of its runs" className="flex flex-col gap-2">
      <h3 className="text-small text-ink-2">Input</h3>
      <SchemaForm label="Input" schema={schemas?.input_schema} compact {...form} />
    </section>
  );
}
