"use client";

import { Braces, FileText } from "lucide-react";
import { Suspense, useState } from "react";
import { fileSize } from "#lib/client/measures.ts";
import { isObject } from "#lib/protocol/json.ts";
import { viewOf } from "#lib/rules/threads/content.ts";
import { DataImage } from "../_ui/data-image.tsx";
import { lazyDialog } from "../_ui/lazy-part.ts";
import { Folded } from "./folded.tsx";

const ImageDialog = lazyDialog(() => import("./image-dialog.tsx"));

/** Shows a content block: an image small, with a dialog that shows it large, and everything else folded. */
export default function BlockView({ block, name = "" }: { block: unknown; name?: string }) {
  const view = viewOf(block);
  switch (view.kind) {
    case "image":
      return <Picture name={name || "Image"} url={view.url} size={fileSize(view.bytes)} />;
    case "text": {
      const title = name || "Text";
      return (
        <Folded
          label={`File ${title}`}
          icon={<FileText />}
          summary={title}
          aside={fileSize(new TextEncoder().encode(view.text).length)}
          text={() => view.text}
        />
      );
    }
    case "json":
      return (
        <Folded
          label={`Content ${typeIn(block)}`}
          icon={<Braces />}
          summary={name || typeIn(block)}
          aside={name ? typeIn(block) : "content"}
          text={() => JSON.stringify(view.value, null, 2)}
        />
      );
  }
}

function typeIn(block: unknown): string {
  return isObject(block) && typeof block.type === "string" && block.type !== "" ? block.type : "data";
}

function Picture({ name, url, size }: { name: string; url: string; size: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <Folded label={`File ${name}`} icon={<Braces />} summary={name} aside="unreadable image" text={() => url} />;
  return (
    <>
      <button
        type="button"
        aria-label={`Open ${name}`}
        aria-haspopup="dialog"
        title={`${name}, ${size}`}
        onClick={() => setOpen(true)}
        className="max-w-full overflow-hidden rounded-control border border-line bg-well transition-colors hover:border-line-strong"
      >
        <DataImage
          src={url}
          alt={name}
          onError={() => setBroken(true)}
          className="block max-h-40 min-h-8 max-w-[min(20rem,100%)] min-w-8 object-contain"
        />
      </button>
      {isOpen ? (
        <Suspense>
          <ImageDialog name={name} url={url} size={size} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
