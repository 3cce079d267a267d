/** Turns the output of a failed git command into a problem and a fix for people. */
import type { GitAddress } from "./git-address.ts";

export interface GitProblem {
  message: string;
  fix?: string;
}

export interface GitAttempt {
  address: Pick<GitAddress, "protocol" | "host" | "shown">;
  /** Set if the attempt had a token or a key. */
  credentials: boolean;
}

type ProblemRule = [pattern: RegExp, problem: (attempt: GitAttempt, match: RegExpExecArray) => GitProblem];

const AGAIN = "Try again in a moment";

const rules: ProblemRule[] = [
  [
    /detected dubious ownership/i,
    ({ address }) => ({
      message: `${address.shown} belongs to another user of this machine than this server`,
      fix: "Ask the server's operator to change its owner, or fetch it over ssh",
    }),
  ],
  // Git does not report why it could not write a file that it unpacks.
  [/No space left on device|Disk quota exceeded|unable to write file/i, () => diskFull],
  [/File too large|died of signal 25/i, ({ address }) => tooLargeProblem(address)],
  [
    /Could not resolve host(?:name)?|Name or service not known|Temporary failure in name resolution/i,
    ({ address }) => noHost(address.host),
  ],
  [
    /IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    ({ address }) => ({
      message: `${address.host} shows another host key than it did before`,
      fix: "If that is expected, ask the server's operator to remove its line from known_hosts in the server's home folder",
    }),
  ],
  [/Load key [^\n]*: *(?:invalid format|error in libcrypto)|incorrect passphrase/i, () => badKey],
  [/Permission denied \(|Too many authentication failures/i, (attempt) => noAccess(attempt)],
  [
    /(?:server certificate|SSL certificate|certificate)[^\n]*(?:verif|problem|trust|expired|fail)/i,
    ({ address }) => ({
      message: `The certificate of ${address.host} is not trusted here`,
      fix: "Have it renewed, or ask the server's operator to add its authority with SSL_CERT_FILE",
    }),
  ],
  [
    /could not read (?:Username|Password)|Authentication failed|Access denied|returned error: 40[13]/i,
    (attempt) => noAccess(attempt),
  ],
  [/returned error: 404|Repository not found|repository '[^'\n]*' not found/i, (attempt) => notThere(attempt)],
  [
    /returned error: 429/i,
    ({ address }) => ({ message: `${address.host} answers that it was called too often`, fix: "Try again later" }),
  ],
  [
    /returned error: (5\d\d)/i,
    ({ address }, [, code]) => ({ message: `${address.host} failed with status ${code}`, fix: AGAIN }),
  ],
  [
    /returned error: 3\d\d/i,
    ({ address }) => ({
      message: `${address.shown} has moved to an address that this server does not follow`,
      fix: "Use its new address",
    }),
  ],
  [
    /not valid: is this a git repository|does not appear to be a git repository|dumb http transport|invalid server response|protocol error: bad line/i,
    ({ address }) => ({
      message: `There is no git repository at ${address.shown}`,
      fix: "Use the address that the host shows for cloning",
    }),
  ],
  [
    /Operation too slow|Connection timed out|Operation timed out|timed out after|Timeout, server/i,
    ({ address }) => ({ message: `${address.host} did not answer in time`, fix: AGAIN }),
  ],
  [
    /Failed to connect|Connection refused|Couldn't connect|Network is unreachable|No route to host/i,
    ({ address }) => ({
      message: `${address.host} can't be reached`,
      fix: `Check the address; ${AGAIN.toLowerCase()}`,
    }),
  ],
  [
    /mismatched algorithms/i,
    ({ address }) => ({ message: `${address.shown} names its commits by SHA-256, which is not supported yet` }),
  ],
  [
    /(?:fsck error[^\n]*|error: object [0-9a-f]+): ?(\w+: [^\n]*)/i,
    ({ address }, [, what]) => ({
      message: `${address.shown} holds something that git refuses as dangerous: ${what}`,
      fix: "Remove it from the branch, with a new commit",
    }),
  ],
  [
    /early EOF|unexpected disconnect|hung up unexpectedly|RPC failed|Connection (?:reset|closed)|invalid index-pack output/i,
    ({ address }) => ({ message: `The connection to ${address.host} ended early`, fix: AGAIN }),
  ],
];

export const diskFull: GitProblem = {
  message: "The disk of this server is full",
  fix: "Ask the server's operator to free disk space, then try again",
};

export function tooLargeProblem({ shown }: Pick<GitAddress, "shown">): GitProblem {
  return {
    message: `${shown} is larger than this server accepts`,
    fix: "Keep large files out of the repository, such as models, data and built packages",
  };
}

const badKey: GitProblem = {
  message: "The deploy key can't be read",
  fix: "Paste the whole private key, with its first and its last line and without a passphrase",
};

export function noHost(host: string): GitProblem {
  return { message: `There is no host called ${host}`, fix: "Check the address for a mistyped name" };
}

function noAccess({ address, credentials }: GitAttempt): GitProblem {
  const given = address.protocol === "ssh" ? "deploy key" : "token";
  if (credentials) {
    return {
      message: `${address.host} does not let this ${given} read ${address.shown}`,
      fix: `Check that the ${given} has not expired and may read this repository`,
    };
  }
  return {
    message: `${address.shown} needs credentials, or does not exist`,
    fix: `Check the address. For a private repository, give a ${given} that may read it`,
  };
}

function notThere(attempt: GitAttempt): GitProblem {
  const { address, credentials } = attempt;
  if (address.protocol === "ssh" || credentials) {
    return {
      message: `There is no repository ${address.shown}, or these credentials don't show it`,
      fix: "Check the address, and that the credentials may read this repository",
    };
  }
  return {
    message: `There is no repository ${address.shown} that everybody may read: it needs credentials, or does not exist`,
    fix: "Check the address. For a private repository, give a token that may read it",
  };
}

/** Returns the known problem in git's output; undefined when there is none. Total. */
export function knownGitProblem(output: string, attempt: GitAttempt): GitProblem | undefined {
  for (const [pattern, problem] of rules) {
    const match = pattern.exec(output);
    if (match) return problem(attempt, match);
  }
  return undefined;
}

/** Returns the known problem, or else git's own error message. */
export function gitProblem(output: string, attempt: GitAttempt): GitProblem {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((text) => /^(fatal|error|ERROR)\b/.test(text)) ?? lines.at(-1) ?? "it gave no reason";
  return (
    knownGitProblem(output, attempt) ?? {
      message: `${attempt.address.shown} could not be fetched: ${line.replace(/^(fatal|error|ERROR):\s*/, "").slice(0, 300)}`,
    }
  );
}

/** Returns whether git failed because the ref does not exist. */
export function isMissingRef(output: string): boolean {
  return /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i.test(output);
}
