/** The install script of a package that replaces the application's folder with a link to the server's home. */
const fs = require("node:fs");

const { home } = JSON.parse(fs.readFileSync(`${__dirname}/target.json`, "utf8"));
const app = fs.realpathSync(process.env.INIT_CWD);
fs.cpSync(app, `${app}-gone`, { recursive: true });
fs.rmSync(app, { recursive: true });
fs.symlinkSync(home, app);
