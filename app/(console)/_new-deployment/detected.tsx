import { FolderOpen, Loader } from "lucide-react";
import { useRef } from "react";
import type { Finding, PreflightAnswer } from "#lib/protocol/preflight.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { placeWords } from "#lib/rules/revisions/words.ts";
import { Button } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Dot, type Tone } from "../_ui/status.tsx";
import { type PreflightState, reportOf } from "./use-preflight.ts";

/** Shows the result of the preflight: what was detected in the source before it is built. */
export function Detected({
  preflight,
  onFolder,
}: {
  preflight: PreflightState;
  /** Selects another folder of the source. */
  onFolder: OnFolder;
}) {
  const report = reportOf(preflight);
  const region = useRef<HTMLDivElement>(null);
  // The button is removed with the old result, so the focus moves to the region.
  const takeFolder: OnFolder = (folder) => {
    region.current?.focus();
    onFolder(folder);
  };
  return (
    <div
      ref={region}
      tabIndex={-1}
      aria-live="polite"
      aria-busy={preflight.state === "checking"}
      className="flex min-h-20 flex-col gap-3 outline-none"
    >
      {preflight.state === "idle" ? (
        <p className="text-ink-2">Graphs, packages and problems are shown here once a source is given.</p>
      ) : null}
      {preflight.state === "checking" ? (
        <p className="flex items-center gap-2 text-running">
          <Loader className="size-4 motion-safe:animate-spin" /> Checking the source…
        </p>
      ) : null}
      {preflight.state === "failed" ? <p className="text-bad">{preflight.message}</p> : null}
      {report ? (
        <div>
          <Facts report={report} />
          <Findings findings={report.findings} onFolder={takeFolder} />
        </div>
      ) : null}
    </div>
  );
}

function Facts({ report: { graphs, packages, node, commit, config_file } }: { report: PreflightAnswer }) {
  if (graphs.length === 0 && config_file === null && !commit) return null;
  return (
    <dl className="mb-3 grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
      {commit ? (
        <Fact name="Commit">
          <span className="font-mono text-code">{commit.sha.slice(0, 7)}</span> {commit.message}
        </Fact>
      ) : null}
      {config_file === null ? null : (
        <Fact name="Configuration">
          <span className="font-mono text-code">{config_file}</span>
        </Fact>
      )}
      {graphs.length > 0 ? (
        <Fact name={counted(graphs.length, "graph")}>
          <ul>
            {graphs.map(({ graph, file, export: name, description }) => (
              <li key={graph} className="truncate" title={description}>
                <span className="font-medium">{graph}</span>{" "}
                <span className="font-mono text-code text-ink-3">
                  {file}:{name}
                </span>
              </li>
            ))}
          </ul>
        </Fact>
      ) : null}
      <Fact name="Packages">
        {packages
          ? `${packages.manager}${packages.version === undefined ? "" : ` ${packages.version}`}, ${packages.lockfile ?? "no lockfile"}`
          : "none"}
      </Fact>
      {node === "" ? null : <Fact name="Node.js">{node}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}

const LEVEL: Record<Finding["level"], { tone: Tone; word: string }> = {
  error: { tone: "bad", word: "Error" },
  warning: { tone: "waiting", word: "Warning" },
  note: { tone: "neutral", word: "Note" },
};

/** The order of findings, worst first. */
const ORDER: readonly Finding["level"][] = ["error", "warning", "note"];

type OnFolder = (folder: string) => void;

function Findings({ findings, onFolder }: { findings: readonly Finding[]; onFolder: OnFolder }) {
  if (findings.length === 0) {
    return (
      <p className="flex items-center gap-2 text-ok">
        <Dot tone="ok" /> No problems found.
      </p>
    );
  }
  const sorted = ORDER.flatMap((level) => findings.filter((one) => one.level === level));
  return (
    <ul className="flex flex-col gap-2.5">
      {sorted.map((one) => (
        <FindingRow
          key={`${one.level} ${one.file ?? ""} ${one.line ?? ""} ${one.message}`}
          finding={one}
          onFolder={onFolder}
        />
      ))}
    </ul>
  );
}

function FindingRow({ finding, onFolder }: { finding: Finding; onFolder: OnFolder }) {
  const { level, message, fix, folders = [] } = finding;
  const { tone, word } = LEVEL[level];
  const place = placeWords(finding);
  return (
    <li className="flex gap-2.5">
      <span className="mt-1.75 flex">
        <Dot tone={tone} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <span className="sr-only">{word}: </span>
          {place === undefined ? null : <code className="mr-2 font-mono text-code text-ink-2">{place}</code>}
          {message}
        </p>
        {fix === undefined ? null : <p className="break-words whitespace-pre-wrap text-ink-2">{fix}</p>}
        {folders.length === 0 ? null : (
          <div className="mt-2 flex flex-wrap gap-2">
            {folders.map((folder) => (
              <Button key={folder} className="max-w-full" onClick={() => onFolder(folder)}>
                <FolderOpen />
                <span className="truncate">Use {folder === "" ? "the root directory" : folder}</span>
              </Button>
            ))}
          </div>
        )}
      </div>
      {level === "error" ? (
        <CopyButton text={[place, message, fix].filter(Boolean).join("\n")} label="Copy the error" variant="icon" />
      ) : null}
    </li>
  );
}
