"use client";

import { useState } from "react";
import { counted } from "#lib/rules/text/counted.ts";
import { FilterField } from "../_rooms/filter-field.tsx";
import { isEnd, nameOfNode } from "./node-facts.ts";
import { useStudio } from "./studio-context.ts";

/** A list of at most so many nodes has no filter. */
const FEW = 12;

/** All nodes, to select one without the canvas. */
export function NodeList() {
  const { info, setQuery } = useStudio();
  const [words, setWords] = useState("");
  const nodes = (info.drawing?.nodes ?? [])
    .map((one) => ({ id: `${one.id}`, name: nameOfNode(one, `${one.id}`) }))
    .filter(({ id }) => !isEnd(id));
  const wanted = words.trim().toLowerCase();
  const shown = nodes.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted));
  return (
    <div className="p-4">
      <p className="mb-2 text-ink-2">
        Select a node on the canvas, or here. {counted(nodes.length, "node")} in this graph.
      </p>
      {nodes.length > FEW ? (
        <div className="mb-2">
          <FilterField
            label="Filter the nodes"
            placeholder="Filter by name"
            value={words}
            onValue={setWords}
            problem={undefined}
          />
        </div>
      ) : null}
      <output className={shown.length > 0 ? "sr-only" : "px-2 text-ink-2"}>
        {wanted === "" ? "" : shown.length > 0 ? counted(shown.length, "node") : "No node has this name."}
      </output>
      <ul>
        {shown.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => void setQuery({ node: id })}
              className="flex min-h-8 w-full items-center rounded-control px-2 text-left font-medium hover:bg-well pointer-coarse:min-h-10"
            >
              <span className="truncate">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
