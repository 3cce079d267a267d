/** Prepares the folder that a deployment's process writes to, and the user as which it runs. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  type Dirent,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "../../rules/text/error-message.ts";

export interface ProcessAccount {
  /** The only folder that the process may write to. */
  scratch: string;
  /** The folder for short-lived files, inside of `scratch`. */
  temporary: string;
  /** The deployment's own user. Undefined if the process runs as the server's user. */
  user?: { uid: number; gid: number };
}

export interface AccountOptions {
  /** The folder with `deployments`. */
  home: string;
  deployment: string;
  /** The folder of the build, which the process reads. */
  root: string;
  /** Other files and folders that the process reads. */
  reads: readonly string[];
  /** The first of the user ids for deployments; 0 if deployments get none. */
  firstUser: number;
  /** Receives the reason why the deployment gets no user of its own. */
  warn: (why: string) => void;
}

/** The number of user ids for deployments. Those for builds follow them. */
export const DEPLOYMENT_USERS = 5_000;
export const BUILD_USERS = 1_000;
export const USERS = DEPLOYMENT_USERS + BUILD_USERS;
const OTHERS_ENTER = 0o001;

/** Decides whether each deployment gets a user of its own. `closed` is a folder that keeps other users out, if any. */
export function decideUsers({ home, reads, firstUser }: Pick<AccountOptions, "home" | "reads" | "firstUser">): {
  ownUsers: boolean;
  closed?: string;
} {
  if (process.getuid?.() !== 0 || firstUser === 0) return { ownUsers: false };
  openToOthers(home);
  const closed = reads.map(closedFolderAbove).find((path) => path !== undefined);
  return { ownUsers: closed === undefined, closed };
}

/** Creates the folders if they are missing, and gives the process's user read access to the build. */
export function openAccount(options: AccountOptions): ProcessAccount {
  const folder = join(options.home, "deployments", options.deployment);
  const scratch = join(folder, "scratch");
  const temporary = join(scratch, "tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const uid = assignUser(folder, scratch, options);
  if (uid === undefined) return { scratch, temporary };
  return { scratch, temporary, user: { uid, gid: uid } };
}

/** Assigns a user, if the server is root. The group of the deployment's folder stores which user it is. */
function assignUser(
  folder: string,
  scratch: string,
  { home, root, reads, firstUser, warn }: AccountOptions,
): number | undefined {
  try {
    const { ownUsers, closed } = decideUsers({ home, reads, firstUser });
    if (closed !== undefined) {
      warn(`other users can't enter ${closed}: move the server, or GRAPHLIB_HOME, to where they can (/opt, /var/lib)`);
    }
    if (!ownUsers) return undefined;
    const uid = userOf(folder, firstUser);
    if (uid === undefined) {
      warn(`all ${DEPLOYMENT_USERS} users from ${firstUser} are taken: set GRAPHLIB_WORKER_UID_BASE to another`);
      return undefined;
    }
    // Only the group of this one user may enter.
    chownSync(folder, 0, uid);
    chmodSync(folder, 0o710);
    if (lstatSync(scratch).uid !== uid) changeOwner(scratch, uid);
    allowRead(root);
    return uid;
  } catch (error) {
    warn(`this server may not give files to other users (${errorMessage(error)})`);
    return undefined;
  }
}

/** Lets other users enter the home folder. Private files and folders inside of it have modes of their own. */
function openToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & OTHERS_ENTER) === 0) chmodSync(folder, (mode & 0o7777) | OTHERS_ENTER);
}

/** Returns the first folder above a path that other users cannot enter. */
export function closedFolderAbove(path: string): string | undefined {
  const folders: string[] = [];
  for (let at = dirname(realpathSync(path)); dirname(at) !== at; at = dirname(at)) folders.unshift(at);
  return folders.find((folder) => (statSync(folder).mode & OTHERS_ENTER) === 0);
}

function userOf(folder: string, first: number): number | undefined {
  const isOurs = (gid: number): boolean => gid >= first && gid < first + DEPLOYMENT_USERS;
  const known = statSync(folder).gid;
  if (isOurs(known)) return known;
  const all = dirname(folder);
  const taken = new Set(readdirSync(all).map((name) => statSync(join(all, name)).gid));
  // Each server starts at another offset, because several servers on one machine should not share users.
  const offset = createHash("sha256").update(all).digest().readUInt32BE(0);
  for (let n = 0; n < DEPLOYMENT_USERS; n++) {
    const uid = first + ((offset + n) % DEPLOYMENT_USERS);
    if (!taken.has(uid)) return uid;
  }
  return undefined;
}

function changeOwner(path: string, uid: number): void {
  for (const entry of entriesOf(path)) lchownSync(join(entry.parentPath, entry.name), uid, uid);
  chownSync(path, uid, uid);
  chmodSync(path, 0o700);
}

/** Makes every file readable, even if an archive or a repository closed it. The folders above restrict access. */
function allowRead(root: string): void {
  addPermissions(root, 0o555);
  for (const entry of entriesOf(root)) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) addPermissions(path, 0o555);
    else if (entry.isFile()) addPermissions(path, 0o444);
  }
}

function addPermissions(path: string, bits: number): void {
  const { mode } = lstatSync(path);
  if ((mode & bits) !== bits) chmodSync(path, (mode & 0o7777) | bits);
}

/** Returns the entries of all levels. Links are not followed. */
function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
