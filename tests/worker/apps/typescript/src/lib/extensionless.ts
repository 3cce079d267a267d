export const extensionless: string = "extensionless";
