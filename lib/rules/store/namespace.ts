/** The rules of labels of namespaces, apart from those that need schemas, because pages load them. */

type NamespaceRefusal = { because: "empty" | "label" | "reserved"; message: string };

/** Returns why no item can be stored in a namespace; undefined when one can. Clients match these texts. */
export function refuseNamespace(namespace: readonly string[]): NamespaceRefusal | undefined {
  if (namespace.length === 0) return { because: "empty", message: "Namespace is required" };
  if (!hasLabels(namespace)) {
    const message = `Namespace labels cannot be empty or contain periods. Received: ${namespace.join(".")}`;
    return { because: "label", message };
  }
  if (namespace[0] === "langgraph") {
    return {
      because: "reserved",
      message: `Root label for namespace cannot be "langgraph". Received: ${namespace.join(".")}`,
    };
  }
  return undefined;
}

/** Returns whether all labels are valid. A search in any other namespace finds nothing. */
export function hasLabels(namespace: readonly string[]): boolean {
  return namespace.every((label) => label !== "" && !label.includes("."));
}
