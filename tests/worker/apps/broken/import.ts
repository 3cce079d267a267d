import "not-installed"; export const graph = 1;
