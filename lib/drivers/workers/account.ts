/** The account of a deployment's process: the folder that it writes to, and the user that it runs as. */
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

export interface ProcessAccount {
  /** The one folder that it may write to. */
  scratch: string;
  /** For short-lived files, inside of `scratch`. */
  temporary: string;
  /** A user of its own, where the server may give it one. */
  user?: { uid: number; gid: number };
}

export interface AccountOptions {
  /** The folder with `deployments`. */
  home: string;
  deployment: string;
  /** The build's folder: the process reads it. */
  root: string;
  /** What else it reads. */
  reads: readonly string[];
  /** First of the user numbers that deployments get; 0 for none. */
  firstUser: number;
  /** Is told, in words, why it has no user of its own. */
  warn: (why: string) => void;
}

/** Deployments are given so many user ids; those of builds follow. */
export const DEPLOYMENT_USERS = 5_000;
export const BUILD_USERS = 1_000;
export const USERS = DEPLOYMENT_USERS + BUILD_USERS;
const OTHERS_ENTER = 0o001;

/** Whether each deployment is given a user of its own: `closed` is what keeps other users out, where that is why not. */
export function decideUsers({ home, reads, firstUser }: Pick<AccountOptions, "home" | "reads" | "firstUser">): {
  ownUsers: boolean;
  closed?: string;
} {
  if (process.getuid?.() !== 0 || firstUser === 0) return { ownUsers: false };
  openToOthers(home);
  const closed = reads.map(closedFolderAbove).find((path) => path !== undefined);
  return { ownUsers: closed === undefined, closed };
}

/** Makes the folders where they are missing, and lets the process's user read the build. */
export function openAccount(options: AccountOptions): ProcessAccount {
  const folder = join(options.home, "deployments", options.deployment);
  const scratch = join(folder, "scratch");
  const temporary = join(scratch, "tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const uid = assignUser(folder, scratch, options);
  if (uid === undefined) return { scratch, temporary };
  return { scratch, temporary, user: { uid, gid: uid } };
}

/** Only where the server is root. Which user is whose is kept as the group of the deployment's folder. */
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
    // The way in, for this one user's group alone.
    chownSync(folder, 0, uid);
    chmodSync(folder, 0o710);
    if (lstatSync(scratch).uid !== uid) changeOwner(scratch, uid);
    allowRead(root);
    return uid;
  } catch (error) {
    warn(`this server may not give files to other users (${error instanceof Error ? error.message : String(error)})`);
    return undefined;
  }
}

/** The home is the server's own; what is private in it says so itself. */
function openToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & OTHERS_ENTER) === 0) chmodSync(folder, (mode & 0o7777) | OTHERS_ENTER);
}

/** The first folder on the way to a path that others can't enter. */
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
  // Where each server begins is its own: several on one machine should not share users.
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

/** What an archive or a repository has closed to others; who they are is decided further up. */
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

/** Of all levels; links are not followed. */
function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
