/** Shorter values would blot out half of every line. */
const SHORTEST = 4;

/** Puts `[NAME]` in place of every secret value in a text; of values that overlap the longest counts. Total. */
export function redactor(secrets: Readonly<Record<string, string>>): (text: string) => string {
  const known = Object.entries(secrets)
    .flatMap(([name, value]) =>
      [value, ...value.split("\n"), encodeURIComponent(value)].map((part) => ({ name, part })),
    )
    .filter(({ part }) => part.trim().length >= SHORTEST)
    .toSorted((a, b) => b.part.length - a.part.length);
  if (known.length === 0) return (text) => text;
  const names = new Map(known.map(({ name, part }) => [part, name]));
  const pattern = new RegExp([...names.keys()].map(escaped).join("|"), "g");
  return (text) => text.replaceAll(pattern, (part) => `[${names.get(part)}]`);
}

const TELLING = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|DSN|PRIVATE|_URL$|_URI$/i;

/** Of variables that nobody has marked, those whose names say that their values are secrets. */
export function secretsAmong(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => TELLING.test(name)));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
