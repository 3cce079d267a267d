export const name = "mapped" as const;
