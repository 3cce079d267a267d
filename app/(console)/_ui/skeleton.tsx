/** A placeholder of the final size while content loads. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={`rounded-control bg-well motion-safe:animate-breathe ${className}`} />;
}

/** Says what loads. `className`: adds a skeleton of this size. */
export function Loading({ what, className }: { what: string; className?: string }) {
  return (
    <>
      <output className="sr-only">Loading {what}…</output>
      {className === undefined ? null : <Skeleton className={className} />}
    </>
  );
}
