/** Stands for `rehype-raw`, which turns HTML in Markdown into elements. The console shows it as text and never calls this. */
// The name is the one of the package.
// oxlint-disable-next-line import/no-default-export
export default function rehypeRaw(): void {
  // There is nothing to do.
}
