import type { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { edgeKey } from "../../../lib/rules/graphs/edge-key.ts";
import type { StudioRun } from "../../../lib/rules/studio/run.ts";

/** An edge of a drawing that was taken. */
export interface TakenEdge {
  /** The place of the edge in the drawing. */
  readonly index: number;
  readonly source: string;
  readonly target: string;
  /** How often it was taken: parallel tasks of one node count each. */
  readonly count: number;
  /** True for the edges that were taken last: several when a step began with several tasks. */
  readonly isNewest: boolean;
}

/** Returns which edges of a drawing a run took, in the order of the drawing. */
export function edgesTaken({ edges }: Pick<GraphDrawing, "edges">, run: StudioRun): TakenEdge[] {
  const taken = edges.flatMap(({ source, target }, index) => {
    const move = run.moves.get(edgeKey(String(source), String(target)));
    return move ? [{ index, move }] : [];
  });
  const newest = taken.reduce((most, { move }) => Math.max(most, move.toldAt), 0);
  return taken.map(({ index, move: { source, target, count, toldAt } }) => {
    return { index, source, target, count, isNewest: toldAt === newest };
  });
}
