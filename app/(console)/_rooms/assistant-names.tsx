/** Shows an assistant's name in a cell, with its graph if that has another name. */
export function AssistantNames({ name, graph }: { name: string; graph: string }) {
  return (
    <>
      <div className="truncate" title={name}>
        {name || <span className="text-ink-3">none yet</span>}
      </div>
      {graph !== "" && graph !== name ? (
        <div className="truncate text-small text-ink-3" title={graph}>
          {graph}
        </div>
      ) : null}
    </>
  );
}
