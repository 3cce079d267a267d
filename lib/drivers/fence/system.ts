/** What every program may see of the system it runs on: programs, libraries, and settings that hold no secrets. */

const inUsr = "bin sbin lib lib32 lib64 libx32 libexec include share".split(" ");
const inRoot = "bin sbin lib lib32 lib64 libx32".split(" ");
/** NixOS keeps all of them here. */
const nix = "/nix/store /run/current-system".split(" ");

/** Not all of `/usr`: servers are installed there as well, in `/usr/src` for example. */
export const systemFolders = [
  ...inUsr.flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
  ...inRoot.map((name) => `/${name}`),
  ...nix,
];

/** Of `ssl` and `pki` not all: private keys lie in both. */
const settings = `
  hosts host.conf resolv.conf nsswitch.conf gai.conf protocols services
  passwd group localtime timezone mime.types fonts alternatives
  ld.so.cache ld.so.conf ld.so.conf.d
  ssl/certs ssl/cert.pem ssl/openssl.cnf ca-certificates crypto-policies
  pki/ca-trust pki/tls/certs pki/tls/cert.pem pki/tls/openssl.cnf
`;

export const systemFiles = settings
  .trim()
  .split(/\s+/)
  .map((name) => `/etc/${name}`);
