export const folder: string = "folder";
