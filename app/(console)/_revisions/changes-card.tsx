"use client";

import { useRouter } from "next/navigation";
import { Fragment, type ReactNode } from "react";
import type { NameChanges, RevisionChanges } from "#lib/protocol/revisions.ts";

/** Shows the changes since another revision: source, commit, configuration, packages and names of variables. */
export function ChangesCard({
  changes,
  others,
}: {
  changes: RevisionChanges;
  /** The numbers of the revisions to compare with. */
  others: readonly number[];
}) {
  const router = useRouter();
  const { since, commit, source, config, variables, packages } = changes;
  const contents: Record<string, ReactNode> = {
    Source: source && "changed",
    Commit: commit && (
      <span className="font-mono text-code">
        {commit.from?.sha.slice(0, 7) ?? "none"} → {commit.to?.sha.slice(0, 7) ?? "none"}
      </span>
    ),
    Configuration: isChanged(config) && <Names changes={config} />,
    Packages: packages && "lockfile changed",
    Variables: isChanged(variables) && <Names changes={variables} />,
  };
  const parts = Object.entries(contents).filter(([, content]) => Boolean(content));
  return (
    <section aria-label="Changes" className="rounded-card border border-line px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="font-semibold">Changes since</h2>
        <select
          aria-label="Changes since revision"
          value={since}
          onChange={(event) => router.push(`?since=${event.target.value}`, { scroll: false })}
          className="h-8 rounded-control border border-line-strong bg-background px-2 outline-offset-0 pointer-coarse:h-10"
        >
          {others.map((number) => (
            <option key={number} value={number}>
              revision {number}
            </option>
          ))}
        </select>
      </div>
      {parts.length > 0 ? (
        <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {parts.map(([name, content]) => (
            <Fragment key={name}>
              <dt className="text-ink-2">{name}</dt>
              <dd className="min-w-0 break-words">{content}</dd>
            </Fragment>
          ))}
        </dl>
      ) : (
        <p className="text-ink-2">No changes: the same code with the same variables.</p>
      )}
    </section>
  );
}

function isChanged(changes: NameChanges | null): changes is NameChanges {
  return changes !== null && changes.added.length + changes.removed.length + changes.changed.length > 0;
}

function Names({ changes: { added, removed, changed } }: { changes: NameChanges }) {
  const all = [
    ...added.map((name) => ({ name, how: "added" })),
    ...changed.map((name) => ({ name, how: "changed" })),
    ...removed.map((name) => ({ name, how: "removed" })),
  ];
  return (
    <ul>
      {all.map(({ name, how }) => (
        <li key={name}>
          <span className="font-mono text-code">{name}</span> <span className="text-ink-3">{how}</span>
        </li>
      ))}
    </ul>
  );
}
