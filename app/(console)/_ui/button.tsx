import type { ComponentProps } from "react";
import { PageLink } from "./page-link.tsx";

type Variant = "primary" | "outline" | "quiet" | "danger";

const BASE =
  "inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded-control px-3 font-medium whitespace-nowrap select-none transition-colors disabled:cursor-default disabled:opacity-55 aria-disabled:opacity-55 pointer-coarse:h-10 [&_svg]:size-4 [&_svg]:shrink-0";

const VARIANTS: Record<Variant, string> = {
  primary: "bg-ink text-background hover:bg-ink/88 disabled:hover:bg-ink",
  outline: "border border-line-strong bg-raised text-ink hover:bg-well disabled:hover:bg-raised",
  quiet: "text-ink-2 hover:bg-well hover:text-ink",
  danger: "border border-line-strong bg-raised text-bad hover:bg-bad-soft disabled:hover:bg-raised",
};

function classes(variant: Variant, more = ""): string {
  return `${BASE} ${VARIANTS[variant]} ${more}`;
}

export function Button({ variant = "outline", className, ...props }: ComponentProps<"button"> & { variant?: Variant }) {
  return <button type="button" className={classes(variant, className)} {...props} />;
}

export function ButtonLink({
  variant = "outline",
  className,
  ...props
}: ComponentProps<typeof PageLink> & { variant?: Variant }) {
  return <PageLink className={classes(variant, className)} {...props} />;
}

const ICON_SIZES = {
  normal: "size-8 text-ink-2 pointer-coarse:size-10 [&_svg]:size-4",
  small: "size-7 text-ink-3 pointer-coarse:size-9 [&_svg]:size-3.5",
};

/** A button that shows only an icon. `label`: its accessible name and tooltip. */
export function IconButton({
  label,
  size = "normal",
  className = "",
  ...props
}: ComponentProps<"button"> & { label: string; size?: keyof typeof ICON_SIZES }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex shrink-0 items-center justify-center rounded-control transition-colors hover:bg-well hover:text-ink disabled:opacity-55 aria-disabled:opacity-55 ${ICON_SIZES[size]} ${className}`}
      {...props}
    />
  );
}
