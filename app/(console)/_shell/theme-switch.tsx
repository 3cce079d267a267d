"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useMounted } from "../_ui/use-mounted.ts";

const THEMES = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const mounted = useMounted();
  return (
    <fieldset aria-label="Theme" className="flex rounded-control border border-line bg-raised p-0.5">
      {THEMES.map(({ value, label, icon: Icon }) => {
        const chosen = mounted && theme === value;
        return (
          <button
            key={value}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={chosen}
            onClick={() => setTheme(value)}
            className={`inline-flex h-6 w-7 items-center justify-center rounded-[6px] transition-colors pointer-coarse:h-8 pointer-coarse:w-9 ${
              chosen ? "bg-accent-soft text-accent" : "text-ink-3 hover:text-ink"
            }`}
          >
            <Icon className="size-3.5" />
          </button>
        );
      })}
    </fieldset>
  );
}
