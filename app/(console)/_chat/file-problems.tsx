import { LIMITS } from "#lib/rules/threads/attachments.ts";

/** Says which files were not attached, and why. */
export function FileProblems({ problems }: { problems: readonly string[] }) {
  return (
    <div role="alert" className="px-3.5 pt-2.5 text-small">
      <ul className="text-bad">
        {problems.map((problem) => (
          <li key={problem} className="break-words">
            {problem}
          </li>
        ))}
      </ul>
      <p className="text-ink-2">{LIMITS}.</p>
    </div>
  );
}
