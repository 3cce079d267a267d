/** Names of events and namespaces on the wire: `debug|child:<task id>|inner:<task id>`. */

export interface EventName {
  /** The part before the first bar: `debug`, `messages/partial`. */
  readonly name: string;
  /** The rest: "" for the run's own graph. */
  readonly namespace: string;
}

export function readEventName(event: string): EventName {
  const bar = event.indexOf("|");
  return bar < 0 ? { name: event, namespace: "" } : { name: event.slice(0, bar), namespace: event.slice(bar + 1) };
}

/** The task around a graph: a segment of its namespace. */
export interface NamespaceTask {
  readonly name: string;
  /** The task's id; undefined for a segment that has none. */
  readonly id: string | undefined;
  /** The namespace in which the task runs. */
  readonly outer: string;
}

/**
 * Returns the tasks around the graph of a namespace, the outermost first. LangGraph adds a number as a segment of its own
 * when a task calls the same graph again. A name with a bar is told by its pieces, of which only the last has an id.
 */
export function tasksAround(namespace: string): NamespaceTask[] {
  const tasks: NamespaceTask[] = [];
  const segments = namespace === "" ? [] : namespace.split("|");
  let [begun, at] = [0, 0];
  for (const segment of segments) {
    const end = at + segment.length;
    const isLast = end === namespace.length;
    const isCounter = begun === at && tasks.length > 0 && /^\d+$/.test(segment);
    if (!isCounter && (segment.includes(":") || isLast)) {
      const text = namespace.slice(begun, end);
      const colon = text.lastIndexOf(":");
      const outer = namespace.slice(0, Math.max(0, begun - 1));
      if (colon < 0) tasks.push({ name: text, id: undefined, outer });
      else tasks.push({ name: text.slice(0, colon), id: text.slice(colon + 1), outer });
    }
    if (isCounter || segment.includes(":")) begun = end + 1;
    at = end + 1;
  }
  return tasks;
}

/** Returns the names of the tasks around the graph of a namespace: `["child", "inner"]`. */
export function pathOf(namespace: string): string[] {
  return tasksAround(namespace).map(({ name }) => name);
}

/** Returns the namespace of the graph that a task runs. */
export function namespaceOf(task: { readonly namespace: string; readonly name: string; readonly id: string }): string {
  const own = `${task.name}:${task.id}`;
  return task.namespace === "" ? own : `${task.namespace}|${own}`;
}
