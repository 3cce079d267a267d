const found: { extensionless: string } = require("./extensionless");

export = { name: found.extensionless };
