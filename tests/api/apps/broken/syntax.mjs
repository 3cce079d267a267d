export const graph = {{;
