"use client";

import { useState } from "react";
import { control, failureMessage } from "#lib/client/control.ts";
import { megabytes } from "#lib/client/measures.ts";
import { SelectField, TextArea, TextField } from "../_ui/field.tsx";
import type { SourceDraft } from "./source-draft.ts";

interface FormProps {
  draft: SourceDraft;
  onDraft: (draft: SourceDraft) => void;
  /** True if folders on the server may be deployed. */
  folders: boolean;
}

/** The fields for the source of a deployment. */
export function SourceForm({ draft, onDraft, folders }: FormProps) {
  const set = (change: Partial<SourceDraft>) => onDraft({ ...draft, ...change });
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Kind of source</legend>
        <Kind draft={draft} kind="git" onDraft={onDraft}>
          Git repository
        </Kind>
        <Kind draft={draft} kind="upload" onDraft={onDraft}>
          Archive
        </Kind>
        {folders ? (
          <Kind draft={draft} kind="folder" onDraft={onDraft}>
            Folder on the server
          </Kind>
        ) : null}
      </fieldset>
      {draft.kind === "git" ? <GitFields draft={draft} set={set} /> : null}
      {draft.kind === "folder" ? (
        <TextField
          label="Folder"
          mono
          placeholder="/home/ada/support-bot"
          value={draft.path}
          onChange={(event) => set({ path: event.target.value })}
          hint="Absolute path. The files are copied as they are, with uncommitted changes."
        />
      ) : null}
      {draft.kind === "upload" ? <UploadField draft={draft} set={set} /> : null}
    </div>
  );
}

function Kind({
  draft,
  kind,
  onDraft,
  children,
}: Omit<FormProps, "folders"> & { kind: SourceDraft["kind"]; children: string }) {
  const chosen = draft.kind === kind;
  return (
    <label
      className={`inline-flex h-8 cursor-pointer items-center rounded-control border px-3 font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:h-10 ${chosen ? "border-accent bg-accent-soft text-accent" : "border-line-strong text-ink-2 hover:bg-well"}`}
    >
      <input
        type="radio"
        name="kind"
        className="sr-only"
        checked={chosen}
        onChange={() => onDraft({ ...draft, kind })}
      />
      {children}
    </label>
  );
}

type Set = (change: Partial<SourceDraft>) => void;

function GitFields({ draft, set }: { draft: SourceDraft; set: Set }) {
  return (
    <>
      <TextField
        label="Repository URL"
        mono
        type="text"
        inputMode="url"
        placeholder="https://github.com/acme/support-bot"
        value={draft.url}
        onChange={(event) => set({ url: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Branch, tag or commit"
          mono
          placeholder="the default branch"
          value={draft.ref}
          onChange={(event) => set({ ref: event.target.value })}
        />
        <FolderField draft={draft} set={set} />
      </div>
      <Credentials draft={draft} set={set} />
    </>
  );
}

function FolderField({ draft, set }: { draft: SourceDraft; set: Set }) {
  return (
    <TextField
      label="Root directory"
      mono
      placeholder="the top folder"
      value={draft.folder}
      onChange={(event) => set({ folder: event.target.value })}
    />
  );
}

/** The credentials for a private repository: a token for HTTPS, or a deploy key for SSH. */
function Credentials({ draft, set }: { draft: SourceDraft; set: Set }) {
  return (
    <>
      <SelectField
        label="Access"
        value={draft.access}
        onChange={({ target: { value } }) => set({ access: value === "token" || value === "key" ? value : "public" })}
        className="sm:w-1/2 sm:pr-2"
      >
        <option value="public">Public repository</option>
        <option value="token">Private, with a token (HTTPS)</option>
        <option value="key">Private, with a deploy key (SSH)</option>
      </SelectField>
      {draft.access === "token" ? (
        <TextField
          label="Token"
          mono
          type="password"
          autoComplete="new-password"
          value={draft.token}
          onChange={(event) => set({ token: event.target.value })}
          hint="Read access to the repository is enough. Stored encrypted and never shown again."
        />
      ) : null}
      {draft.access === "key" ? (
        <TextArea
          label="Private key"
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          value={draft.key}
          onChange={(event) => set({ key: event.target.value })}
          hint="As ssh-keygen writes it, without a passphrase. Add its public key to the repository as a deploy key. Stored encrypted and never shown again."
        />
      ) : null}
    </>
  );
}

function UploadField({ draft, set }: { draft: SourceDraft; set: Set }) {
  const [state, setState] = useState<{ message: string; failed?: boolean }>();
  const send = (file: File | undefined): void => {
    if (!file) return;
    setState({ message: `Uploading ${file.name}, ${megabytes(file.size)}…` });
    void control
      .upload(file)
      .then(({ upload_id, bytes }) => {
        setState({ message: `${file.name}, ${megabytes(bytes)} uploaded` });
        set({ upload: { id: upload_id, name: file.name } });
      })
      .catch((thrown: unknown) => setState({ message: failureMessage(thrown) ?? "", failed: true }));
  };
  return (
    <>
      <TextField
        label="Archive"
        type="file"
        accept=".zip,.tar,.tgz,.tar.gz,application/zip,application/gzip,application/x-tar"
        onChange={(event) => send(event.target.files?.[0])}
        hint={<output>{state?.failed ? "" : (state?.message ?? "zip, tar or tar.gz, without node_modules")}</output>}
        error={state?.failed ? state.message : undefined}
        className="[&_input]:py-1.5"
      />
      <FolderField draft={draft} set={set} />
    </>
  );
}
