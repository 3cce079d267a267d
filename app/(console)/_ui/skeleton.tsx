/** A placeholder of the final size while content loads. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={`rounded-control bg-well motion-safe:animate-breathe ${className}`} />;
}

export function Loading({ what }: { what: string }) {
  return <output className="sr-only">Loading {what}…</output>;
}
