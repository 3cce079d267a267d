"use client";

import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { lazyDialog } from "./lazy-part.ts";

const Popover = lazyDialog(() => import("./popover.tsx"));

/** A button that opens a popover, whose code loads with the first opening. `children` gets a function that closes it. */
export function PopoverButton({
  title,
  label,
  children,
  className,
  width,
  variant = "outline",
}: {
  /** The accessible name of the button and of the popover. */
  title: string;
  label: ReactNode;
  children: (close: () => void) => ReactNode;
  className?: string;
  width?: string;
  variant?: ComponentProps<typeof Button>["variant"];
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        ref={anchor}
        variant={variant}
        aria-label={title}
        title={title}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={className}
      >
        {label}
      </Button>
      {isOpen ? (
        <Suspense>
          <Popover anchor={anchor} onClose={close} title={title} className={width}>
            {children(close)}
          </Popover>
        </Suspense>
      ) : null}
    </>
  );
}

const ITEM =
  "flex w-full min-h-8 items-center gap-2.5 rounded-control px-2.5 py-1 text-left hover:bg-well pointer-coarse:min-h-10 disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3";

/** A line of a popover that does something. */
export function PopoverItem({ className = "", ...props }: ComponentProps<"button">) {
  return <button type="button" className={`${ITEM} ${className}`} {...props} />;
}

/** Joins lines of a popover under a title. */
export function PopoverGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 border-line py-1 not-first:border-t">
      <legend className="float-left w-full px-2.5 py-1 text-small text-ink-3">{title}</legend>
      <div className="clear-left">{children}</div>
    </fieldset>
  );
}
