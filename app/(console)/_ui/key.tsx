/** A keyboard key, as shown in menus. */
export function Key({ children, className = "" }: { children: string; className?: string }) {
  return (
    <kbd
      className={`inline-flex h-5 min-w-5 items-center justify-center rounded-key border border-line bg-background px-1 font-mono text-small text-ink-3 pointer-coarse:hidden ${className}`}
    >
      {children}
    </kbd>
  );
}
