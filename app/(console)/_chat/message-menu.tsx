"use client";

import { Copy, Ellipsis, GitFork, Link2, Pencil, RotateCcw, Workflow } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "#lib/client/copy-text.ts";
import { MenuButton } from "../_ui/menu-button.tsx";
import type { MenuItem } from "../_ui/menu.tsx";

export interface MessageActions {
  readonly text: string;
  readonly onEdit?: () => void;
  readonly onRegenerate?: () => void;
  /** Continues the conversation from the checkpoint of this message. */
  readonly onFork?: (checkpoint: string) => void;
  /** Finds the checkpoint of this message; undefined if it is the newest one. */
  readonly checkpointOf: () => Promise<string | undefined>;
  readonly studioHref: (checkpoint?: string) => string;
  readonly chatHref: (checkpoint?: string) => string;
}

type Found = { readonly checkpoint?: string } | "failed" | undefined;

/** The menu of a message. The checkpoint of the message is looked up when the menu opens. */
export default function MessageMenu({
  label,
  align,
  actions,
}: {
  label: string;
  align?: "start" | "end";
  actions: MessageActions;
}) {
  const [found, setFound] = useState<Found>();
  const [note, setNote] = useState("");
  useEffect(() => {
    if (note === "") return;
    const timer = setTimeout(() => setNote(""), 1600);
    return () => clearTimeout(timer);
  }, [note]);
  const find = () => {
    actions.checkpointOf().then(
      (checkpoint) => setFound({ checkpoint }),
      () => setFound("failed"),
    );
  };
  const copy = (text: string, what: string) =>
    void copyText(text).then((worked) => setNote(worked ? `${what} copied` : `${what} not copied`));
  return (
    <>
      <MenuButton
        label={label}
        icon={<Ellipsis />}
        size="small"
        align={align}
        items={itemsOf(actions, found, copy)}
        onOpen={find}
      />
      <output className="text-small text-ink-2">{note}</output>
    </>
  );
}

function itemsOf(actions: MessageActions, found: Found, copy: (text: string, what: string) => void): MenuItem[] {
  const { text, onEdit, onRegenerate, onFork, studioHref, chatHref } = actions;
  const place = typeof found === "object" ? found : undefined;
  const { checkpoint } = place ?? {};
  const later = found === "failed" ? " (not found)" : "";
  const items: (MenuItem | false)[] = [
    text !== "" && { label: "Copy text", icon: <Copy />, onSelect: () => copy(text, "Text") },
    onEdit !== undefined && { label: "Edit", icon: <Pencil />, onSelect: onEdit },
    onRegenerate !== undefined && { label: "Regenerate", icon: <RotateCcw />, onSelect: onRegenerate },
    onFork !== undefined && {
      label: "Fork from here",
      icon: <GitFork />,
      disabled: checkpoint === undefined,
      onSelect: () => checkpoint !== undefined && onFork(checkpoint),
    },
    place
      ? { label: "Open in Studio", icon: <Workflow />, href: studioHref(checkpoint) }
      : { label: `Open in Studio${later}`, icon: <Workflow />, disabled: true },
    {
      label: "Copy link",
      icon: <Link2 />,
      disabled: !place,
      onSelect: () => copy(new URL(chatHref(checkpoint), window.location.href).href, "Link"),
    },
  ];
  return items.filter((item) => item !== false);
}
