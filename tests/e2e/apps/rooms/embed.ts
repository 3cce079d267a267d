/** Embeds texts by how often they have an "a" and a "b". */
export const embed = (texts: readonly string[]): Promise<number[][]> =>
  Promise.resolve(texts.map((text) => ["a", "b"].map((letter) => text.split(letter).length - 1 + 0.001)));
