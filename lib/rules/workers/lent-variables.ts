/** Variables of the server that no application is given, whatever it declares. */
const KEPT: readonly RegExp[] = [
  // The platform's own settings: its key, what seals secrets, its database.
  /^(?:GRAPHLIB|DATABASE)_/,
  // Where programs, files and settings of the server's user are found. A worker's own are chosen for it.
  /^(?:PATH|PATHEXT|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|MAIL|TMP|TEMP|TMPDIR|INIT_CWD|ENV|BASH_ENV|IFS|CDPATH|XDG_\w+)$/,
  // What the system, OpenSSL or Node.js loads before any code of the application, and where from.
  /^(?:LD|DYLD|NODE|OPENSSL|GCONV)_/,
  // Settings of package managers, registry tokens among them.
  /^(?:NPM|PNPM|YARN|COREPACK|BUN)_/,
  // Sockets and credentials of the person, or the service manager, that started the server.
  /^(?:SSH|GPG|SUDO|DBUS)_|^(?:LISTEN_FDS|NOTIFY_SOCKET|CREDENTIALS_DIRECTORY)$/,
];

/** Whether a variable of the server may be given to an application that declares its name. Total. */
export function isLent(name: string): boolean {
  // Some systems do not mind the case of a name.
  const upper = name.toUpperCase();
  return !KEPT.some((pattern) => pattern.test(upper));
}

/** What of the server's environment an application may declare. */
export function lentVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isLent(name)));
}
