"use client";

import { useState } from "react";
import { LARGEST_FILE, readFormFile } from "#lib/client/read-form-file.ts";
import { grouped } from "#lib/rules/text/counted.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { ControlFrame, type FieldProps, unsetText } from "./field-frame.tsx";

/** A text of bytes in base64, which a file fills. */
export function FileControl(props: FieldProps) {
  const { field, value, onChange } = props;
  const [chosen, setChosen] = useState<{ name: string; value: string }>();
  const [problem, setProblem] = useState<string>();
  const text = typeof value === "string" ? value : undefined;
  const name = chosen?.value === value ? `${chosen?.name}, ` : "";
  return (
    <ControlFrame {...props}>
      {(control) => (
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <input
            {...control}
            type="file"
            className="max-w-full min-w-0 text-small file:mr-2 file:h-8 file:rounded-control file:border file:border-line-strong file:bg-raised file:px-3 file:font-medium"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (!file) return;
              readFormFile(file, "base64").then(
                (read) => {
                  if (!("base64" in read)) return;
                  setProblem(undefined);
                  setChosen({ name: file.name, value: read.base64 });
                  onChange(read.base64);
                },
                (error: unknown) => setProblem(errorMessage(error)),
              );
            }}
          />
          <output className={`text-small ${problem === undefined ? "text-ink-3" : "text-bad"}`}>
            {problem ??
              (text === undefined
                ? `${unsetText(field, value)}. At most ${LARGEST_FILE / 1_000_000} MB.`
                : `${name}${grouped(text.length)} characters of base64`)}
          </output>
        </div>
      )}
    </ControlFrame>
  );
}
