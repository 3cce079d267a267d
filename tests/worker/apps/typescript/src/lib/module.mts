export const module: string = "module";
