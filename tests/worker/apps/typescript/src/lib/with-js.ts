export const withJs: string = "with-js";
