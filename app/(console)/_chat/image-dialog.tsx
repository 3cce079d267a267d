"use client";

import { DataImage } from "../_ui/data-image.tsx";
import { Dialog } from "../_ui/dialog.tsx";

/** Shows an image as large as the page allows. */
export default function ImageDialog({
  name,
  url,
  size,
  onClose,
}: {
  name: string;
  url: string;
  size: string;
  onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title={name} size="wide">
      <DataImage
        src={url}
        alt={name}
        className="mx-auto max-h-[calc(100dvh-9rem)] max-w-full rounded-control object-contain"
      />
      <p className="pt-3 text-small text-ink-2">{size}</p>
    </Dialog>
  );
}
