"use client";

import { Paperclip, Plus } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { readFormFile } from "#lib/client/read-form-file.ts";
import { isObject } from "#lib/protocol/json.ts";
import {
  blockOfFile,
  isTextBlock,
  type MessageRole,
  messageRoles,
  readMessage,
  withBlock,
  withContent,
  withOthers,
  withRole,
} from "#lib/rules/forms/message-form.ts";
import { rootField } from "#lib/rules/forms/schema-field.ts";
import { withItem } from "#lib/rules/forms/schema-form.ts";
import { grouped } from "#lib/rules/text/counted.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { Button } from "../_ui/button.tsx";
import { BOX } from "../_ui/field.tsx";
import { type FieldProps, PartsFrame, titleOf, unsetText } from "./field-frame.tsx";
import { ItemList } from "./item-list.tsx";
import { JsonControl } from "./json-control.tsx";

const ROLES: Record<MessageRole, string> = { human: "Human", ai: "AI", system: "System", tool: "Tool" };
const ANY = rootField({});

/** A list of messages with roles. */
export function MessagesField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const last = readMessage(items.at(-1))?.role;
  return (
    <PartsFrame {...props}>
      {Array.isArray(value) ? null : <p className="mb-2 text-small text-ink-3">{unsetText(field, value)}</p>}
      <ItemList
        what="Message"
        items={items}
        onChange={onChange}
        renderHead={(item, at, onItem) => <Role item={item} at={at} onItem={onItem} />}
        renderBody={(item, at, onItem) => <Message item={item} at={at} path={[...path, at]} onItem={onItem} />}
      />
      <Button
        variant="quiet"
        className="mt-2"
        aria-label={`Add message to ${titleOf(field)}`}
        onClick={() => onChange([...items, { type: last === "human" ? "ai" : "human", content: "" }])}
      >
        <Plus /> Add message
      </Button>
    </PartsFrame>
  );
}

interface MessageProps {
  readonly item: unknown;
  readonly at: number;
  readonly onItem: (next: unknown) => void;
}

function Role({ item, at, onItem }: MessageProps) {
  const role = readMessage(item)?.role;
  if (role === undefined) return `Message ${at + 1}`;
  const isKnown = messageRoles.some((one) => one === role);
  return (
    <select
      aria-label={`Role of message ${at + 1}`}
      value={role}
      onChange={({ target }) => {
        const chosen = messageRoles.find((one) => one === target.value);
        if (chosen) onItem(withRole(item, chosen));
      }}
      className="h-7 max-w-full rounded-key border border-line bg-raised px-1.5 font-medium text-ink pointer-coarse:h-9"
    >
      {isKnown ? null : <option value={role}>{role}</option>}
      {messageRoles.map((one) => (
        <option key={one} value={one}>
          {ROLES[one]}
        </option>
      ))}
    </select>
  );
}

function Message({ item, at, path, onItem }: MessageProps & { path: FieldProps["path"] }) {
  const read = readMessage(item);
  const name = `message ${at + 1}`;
  if (!read) {
    return <JsonControl field={{ ...ANY, label: `Message ${at + 1}` }} path={path} value={item} onChange={onItem} />;
  }
  const { content, others } = read;
  const onContent = (next: unknown): void => onItem(withContent(item, next));
  return (
    <div className="flex flex-col gap-2">
      <Content name={name} path={path} content={content} onContent={onContent}>
        <Attach name={name} onBlock={(block) => onContent(withBlock(content, block))} />
      </Content>
      {Object.keys(others).length > 0 ? (
        <details>
          <summary className="w-fit rounded-key text-small text-ink-2">
            Other members: {Object.keys(others).join(", ").slice(0, 100)}
          </summary>
          <div className="mt-2">
            <JsonControl
              field={{ ...ANY, label: `Other members of ${name}` }}
              path={path}
              value={others}
              onChange={(next) => onItem(withOthers(item, isObject(next) ? next : {}))}
            />
          </div>
        </details>
      ) : null}
    </div>
  );
}

interface ContentProps {
  readonly name: string;
  readonly path: FieldProps["path"];
  readonly content: unknown;
  readonly onContent: (next: unknown) => void;
  readonly children: ReactNode;
}

/** The text of a message, or its content blocks. */
function Content({ name, path, content, onContent, children }: ContentProps) {
  if (!Array.isArray(content)) {
    if (typeof content === "string" || content === undefined || content === null) {
      return (
        <>
          <Words label={`Text of ${name}`} text={content ?? ""} onText={onContent} />
          {children}
        </>
      );
    }
    const field = { ...ANY, label: `Content of ${name}` };
    return <JsonControl field={field} path={path} value={content} onChange={onContent} />;
  }
  const blocks: readonly unknown[] = content;
  return (
    <>
      <ItemList
        what="Block"
        items={blocks}
        onChange={onContent}
        renderHead={(block) => (isObject(block) && typeof block.type === "string" ? block.type : "Block")}
        renderBody={(block, place, onBlock) =>
          isTextBlock(block) ? (
            <Words
              label={`Text of block ${place + 1} of ${name}`}
              text={block.text}
              onText={(text) => onContent(withItem(blocks, place, { ...block, text }))}
            />
          ) : (
            <Block name={name} path={[...path, place]} block={block} onBlock={onBlock} />
          )
        }
      />
      {children}
    </>
  );
}

function Words({ label, text, onText }: { label: string; text: string; onText: (text: string) => void }) {
  return (
    <textarea
      aria-label={label}
      value={text}
      rows={2}
      onChange={(event) => onText(event.target.value)}
      className={`${BOX} field-sizing-content block max-h-[60dvh] min-h-14 resize-y py-2`}
    />
  );
}

/** A block other than text. Its JSON opens on request, because images are long. */
function Block({
  name,
  path,
  block,
  onBlock,
}: Omit<ContentProps, "content" | "onContent" | "children"> & {
  block: unknown;
  onBlock: (next: unknown) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const size = JSON.stringify(block).length;
  if (!isOpen) {
    return (
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Edit as JSON ({grouped(size)} characters)
      </Button>
    );
  }
  return <JsonControl field={{ ...ANY, label: `Block of ${name}` }} path={path} value={block} onChange={onBlock} />;
}

/** Adds a file as a content block. */
function Attach({ name, onBlock }: { name: string; onBlock: (block: ReturnType<typeof blockOfFile>) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        ref={input}
        id={id}
        type="file"
        aria-label={`File for ${name}`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (!file) return;
          readFormFile(file).then(
            (read) => {
              setProblem(undefined);
              onBlock(blockOfFile(read));
            },
            (error: unknown) => setProblem(errorMessage(error)),
          );
          target.value = "";
        }}
      />
      <Button variant="quiet" aria-label={`Attach a file to ${name}`} onClick={() => input.current?.click()}>
        <Paperclip /> Attach
      </Button>
      <output className="text-small text-bad">{problem}</output>
    </div>
  );
}
