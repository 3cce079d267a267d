"use client";

import { useState } from "react";
import { Key } from "../_ui/key.tsx";
import { DEPLOYMENT_PAGES } from "./deployment-pages.ts";
import { areShortcutsOn, setShortcutsOn } from "./shortcuts-setting.ts";
import { paletteKeys } from "./palette-keys.ts";

const groups = (): { title: string; keys: string[][] }[] => [
  {
    title: "Everywhere",
    keys: [
      [paletteKeys(), "Search or run a command"],
      ["g d", "Deployments"],
      ...DEPLOYMENT_PAGES.flatMap(({ key, title }) => (key ? [[`g ${key}`, title]] : [])),
      ["c", "New deployment"],
      ["/", "Filter"],
      ["?", "Show this help"],
    ],
  },
  {
    title: "Studio",
    keys: [
      ["r", "Run with the input"],
      ["Space", "Continue"],
      ["s", "One step"],
      ["b", "Breakpoint before the selected node, with Shift after it"],
      ["[", "Earlier checkpoint"],
      ["]", "Later checkpoint"],
      ["f", "Fit the graph"],
    ],
  },
  {
    title: "Tables",
    keys: [
      ["j k", "Next and previous row, as ↓ and ↑"],
      ["Enter", "Open the row"],
      ["Space", "Select the row; with Shift, all from the last one"],
      ["Esc", "Clear the selection"],
    ],
  },
  {
    title: "A2A",
    keys: [
      ["Ctrl Enter", "Send the call"],
      ["Esc", "Stop the call, from one of its fields"],
    ],
  },
  {
    title: "Chat",
    keys: [
      ["Enter", "Send"],
      ["Shift Enter", "New line"],
      ["↑", "Edit the last message, if the field is empty"],
      ["Esc", "Stop the answer, or cancel editing"],
    ],
  },
];

export function Help() {
  const [on, setOn] = useState(areShortcutsOn);
  const [shown] = useState(groups);
  return (
    <div className="flex flex-col gap-5">
      {shown.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-1.5 text-small font-medium text-ink-3">{title}</h3>
          <dl>
            {keys.map(([key = "", does = ""]) => (
              <div key={key} className="flex h-8 items-center justify-between gap-4">
                <dt className="order-2 flex shrink-0 gap-1">
                  {key.split(" ").map((one) => (
                    <Key key={one} className="!inline-flex">
                      {one}
                    </Key>
                  ))}
                </dt>
                <dd className="order-1 text-ink-2">{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="flex items-center justify-between gap-4 border-t border-line pt-4">
        <span>
          Single-key shortcuts
          <span className="block text-small text-ink-3">
            Always off inside text fields. The chat shortcuts stay on.
          </span>
        </span>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            setOn(event.target.checked);
            setShortcutsOn(event.target.checked);
          }}
          className="size-4 accent-accent"
        />
      </label>
    </div>
  );
}
