import type { Meanwhile } from "#lib/rules/assistants/merge.ts";
import { Button } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";

/** Says that an assistant was saved while it was edited, and lets the members be chosen that both have changed. */
export function MeanwhileNotice({
  meanwhile: { version, isNew, clashes },
  onShow,
  onTakeTheirs,
}: {
  meanwhile: Meanwhile;
  /** Shows a version, and what it changed. */
  onShow: (version: number) => void;
  onTakeTheirs: () => void;
}) {
  return (
    <Notice
      alert
      tone="waiting"
      title={`Version ${version} was ${isNew ? "saved" : "made active"} meanwhile`}
      action={
        <>
          <Button onClick={() => onShow(version)}>Show version {version}</Button>
          {clashes.length > 0 ? <Button onClick={onTakeTheirs}>Take theirs</Button> : null}
        </>
      }
    >
      {clashes.length === 0 ? (
        <>Nothing was sent yet. Your changes are kept here, beside those of version {version}. Save them again.</>
      ) : (
        <>
          Nothing was sent yet. It also changed what you have changed: <Paths paths={clashes} />. Yours are kept here,
          and saving again replaces those of version {version}.
        </>
      )}
    </Notice>
  );
}

const SHOWN = 5;

function Paths({ paths }: { paths: Meanwhile["clashes"] }) {
  return (
    <>
      {paths.slice(0, SHOWN).map((path, at) => (
        <span key={path.join(".")}>
          {at > 0 ? ", " : ""}
          <code className="font-mono text-code wrap-anywhere">{path.join(".")}</code>
        </span>
      ))}
      {paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ""}
    </>
  );
}
