/** Variables of the server that no application gets, whatever it declares. */
const KEPT: readonly RegExp[] = [
  // Settings of the platform: its key, the key that encrypts secrets, its database.
  /^(?:GRAPHLIB|DATABASE)_/,
  // Locations of programs, files and settings of the server's user. A worker gets its own.
  /^(?:PATH|PATHEXT|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|MAIL|TMP|TEMP|TMPDIR|INIT_CWD|ENV|BASH_ENV|IFS|CDPATH|XDG_\w+)$/,
  // Variables that make the system, OpenSSL or Node.js load files before any code of the application.
  /^(?:LD|DYLD|NODE|OPENSSL|GCONV)_/,
  // Settings of package managers, registry tokens among them.
  /^(?:NPM|PNPM|YARN|COREPACK|BUN)_/,
  // Sockets and credentials of the person, or the service manager, that started the server.
  /^(?:SSH|GPG|SUDO|DBUS)_|^(?:LISTEN_FDS|NOTIFY_SOCKET|CREDENTIALS_DIRECTORY)$/,
];

/** Returns whether an application that declares this name may get the server's variable. Total. */
export function isLent(name: string): boolean {
  // On some systems names are case-insensitive.
  const upper = name.toUpperCase();
  return !KEPT.some((pattern) => pattern.test(upper));
}

/** Returns the variables of the server's environment that an application may declare. */
export function lentVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isLent(name)));
}
