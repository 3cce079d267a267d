"use client";

import { type Attachment, fileText } from "#lib/rules/threads/attachments.ts";
import { viewOf } from "#lib/rules/threads/content.ts";
import BlockView from "./block-view.tsx";

/** Shows the files of a question: images beside each other, then texts and everything else folded. */
export function QuestionFiles({ attachments }: { attachments: readonly Attachment[] }) {
  const shown = attachments.map((attachment, place) => {
    const view = viewOf(attachment.block);
    const block = view.kind === "text" ? { type: "text", text: fileText(attachment, view.text) } : attachment.block;
    return { key: `${place} ${attachment.name}`, kind: view.kind, name: attachment.name, block };
  });
  const images = shown.filter((one) => one.kind === "image");
  const others = shown.filter((one) => one.kind !== "image");
  return (
    <div className="mt-2 flex flex-col gap-2">
      {images.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {images.map(({ key, name, block }) => (
            <BlockView key={key} name={name} block={block} />
          ))}
        </div>
      ) : null}
      {others.map(({ key, name, block }) => (
        <BlockView key={key} name={name} block={block} />
      ))}
    </div>
  );
}
