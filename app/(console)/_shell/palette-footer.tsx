import { Key } from "../_ui/key.tsx";

/** Names the keys of the palette, on devices that have them. */
export function Footer({ canLeave }: { canLeave: boolean }) {
  const keys = [["↑↓", "move"], ["↵", "choose"], ...(canLeave ? [["bksp", "back"]] : []), ["esc", "close"]];
  return (
    <div className="flex h-10 shrink-0 items-center gap-4 border-t border-line px-4 text-small text-ink-3 pointer-coarse:hidden">
      {keys.map(([key = "", does]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <Key>{key}</Key> {does}
        </span>
      ))}
    </div>
  );
}
