/** The parts of the system that every program may read: programs, libraries, and settings without secrets. */

const inUsr = "bin sbin lib lib32 lib64 libx32 libexec include share".split(" ");
const inRoot = "bin sbin lib lib32 lib64 libx32".split(" ");
/** NixOS has all programs and libraries here. */
const nix = "/nix/store /run/current-system".split(" ");

/** `/usr` is not included as a whole, because servers are installed there, too, for example in `/usr/src`. */
export const systemFolders = [
  ...inUsr.flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
  ...inRoot.map((name) => `/${name}`),
  ...nix,
];

/** `ssl` and `pki` are not included as a whole, because both contain private keys. */
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
