/** Returns whether `pattern` matches `text`, with `*` for any text (also none) and without regard to case. Linear. */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const subject = text.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return subject === first;
  if (!subject.startsWith(first) || subject.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of rest) {
    const at = subject.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return subject.endsWith(last) && from <= subject.length - last.length;
}
