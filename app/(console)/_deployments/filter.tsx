import { Key } from "../_ui/key.tsx";

export function Filter({ text, label, onText }: { text: string; label: string; onText: (text: string) => void }) {
  return (
    <div className="relative w-36 sm:w-65">
      <input
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (text === "") event.currentTarget.blur();
          else onText("");
        }}
        className="h-8 w-full rounded-control border border-line-strong bg-background pr-8 pl-2.5 text-ellipsis outline-offset-0 pointer-coarse:h-10 pointer-coarse:pr-2.5 [&::-webkit-search-cancel-button]:hidden"
      />
      {text === "" ? <Key className="pointer-events-none absolute top-1.5 right-1.5">/</Key> : null}
    </div>
  );
}
