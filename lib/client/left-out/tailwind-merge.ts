/** Stands for `tailwind-merge`, which drops classes that others overrule. The console gives Markdown its own elements. */
export const twMerge = (...classes: readonly string[]): string => classes.filter(Boolean).join(" ");
