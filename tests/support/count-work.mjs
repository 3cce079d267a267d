/**
 * Loaded into a server by `--import`: counts the statements and transactions of SQLite, and the answers to questions of
 * workers. Prints the counts since the last time, as a line of JSON, on SIGUSR2.
 */
import { Socket } from "node:net";
import Sqlite from "better-sqlite3";

const texts = [];
let answers = 0;

const { prepare, exec } = Sqlite.prototype;
Sqlite.prototype.prepare = function prepareCounted(text) {
  const statement = prepare.call(this, text);
  for (const name of ["run", "get", "all", "iterate"]) {
    const execute = statement[name];
    statement[name] = function executeCounted(...values) {
      texts.push(text);
      return execute.apply(this, values);
    };
  }
  return statement;
};
Sqlite.prototype.exec = function execCounted(text) {
  texts.push(text);
  return exec.call(this, text);
};

const { write } = Socket.prototype;
Socket.prototype.write = function writeCounted(text, ...rest) {
  if (typeof text === "string") answers += text.split('{"type":"answer"').length - 1;
  return write.call(this, text, ...rest);
};

process.on("SIGUSR2", () => {
  console.log(JSON.stringify({ counted: { texts, answers } }));
  texts.length = 0;
  answers = 0;
});
