export const version = "one";
