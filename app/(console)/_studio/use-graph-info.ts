"use client";

import { useCallback, useEffect, useMemo } from "react";
import type { StudioApi } from "#lib/client/studio/api.ts";
import type { GraphDrawing, GraphSchemas } from "#lib/protocol/assistants.ts";
import { knownNodes } from "#lib/rules/graphs/known-nodes.ts";
import { isUnnamed, namedDrawing } from "#lib/rules/graphs/named-drawing.ts";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { useRead } from "../_ui/use-read.ts";

export interface GraphInfo {
  readonly drawing?: GraphDrawing;
  /** The drawing without the insides of subgraphs. */
  readonly outline?: GraphDrawing;
  readonly schemas?: GraphSchemas;
  /** The schemas were read, or cannot be read. A graph without them takes any input. */
  readonly isReady: boolean;
  /** Returns whether the graph of the live revision has a node. */
  readonly isKnown: (node: string) => boolean;
  /** Why the drawing could not be read. */
  readonly failure?: string;
  readonly refresh: () => Promise<void>;
}

interface Drawings {
  readonly drawing?: GraphDrawing;
  readonly outline?: GraphDrawing;
  /** The graph is a function, whose tasks are not drawn. */
  readonly isFunction?: boolean;
}

const NO_DRAWINGS: Drawings = {};
const NO_SCHEMAS: GraphSchemas | undefined = undefined;

/** Reads the drawing and the schemas of a graph. The schemas may take seconds, so the drawing does not wait for them. */
export function useGraphInfo(api: StudioApi, graph: string): GraphInfo {
  const readDrawings = useCallback(async (): Promise<Drawings> => {
    const [drawing, outline] = await Promise.all([api.drawing(graph, true), api.drawing(graph, false)]);
    return { drawing: namedDrawing(drawing), outline: namedDrawing(outline), isFunction: isUnnamed(drawing) };
  }, [api, graph]);
  const readSchemas = useCallback(() => api.schemas(graph), [api, graph]);
  const drawings = useRead(readDrawings, NO_DRAWINGS);
  const schemas = useRead<GraphSchemas | undefined>(readSchemas, NO_SCHEMAS);
  const [refreshDrawings, refreshSchemas] = [drawings.refresh, schemas.refresh];
  const refresh = useCallback(async () => {
    await Promise.all([refreshDrawings(), refreshSchemas()]);
  }, [refreshDrawings, refreshSchemas]);
  useEffect(() => void refresh(), [refresh]);
  useReconnected(() => {
    if (drawings.failure !== undefined || schemas.failure !== undefined) void refresh();
  });
  const { drawing, outline, isFunction = false } = drawings.value;
  const isKnown = useMemo(
    () => (isFunction ? () => true : knownNodes(drawing, outline)),
    [drawing, outline, isFunction],
  );
  return {
    ...(drawing && { drawing }),
    ...(outline && { outline }),
    isKnown,
    schemas: schemas.value,
    isReady: schemas.value !== undefined || schemas.failure !== undefined,
    failure: drawings.failure,
    refresh,
  };
}
