/** Returns the beginning of a value's JSON, at most `most` characters long, without writing the whole of it. Total. */
export function jsonPreview(value: unknown, most: number): string {
  let text = "";
  const add = (part: string): boolean => {
    text += part;
    return text.length <= most;
  };
  const write = (one: unknown): boolean => {
    if (typeof one === "string") return add(JSON.stringify(one.slice(0, most)));
    if (typeof one !== "object" || one === null) return add(JSON.stringify(one) ?? "null");
    if (Array.isArray(one)) {
      return add("[") && one.every((item, place) => (place === 0 || add(",")) && write(item)) && add("]");
    }
    let count = 0;
    const members = (): boolean => {
      for (const [key, member] of Object.entries(one)) {
        if (member === undefined) continue;
        if (count++ > 0 && !add(",")) return false;
        if (!add(`${JSON.stringify(key.slice(0, most))}:`) || !write(member)) return false;
      }
      return true;
    };
    return add("{") && members() && add("}");
  };
  write(value);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
