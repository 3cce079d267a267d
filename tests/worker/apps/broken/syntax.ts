export const graph = {
  a: 1,,
};
