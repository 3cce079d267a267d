/** Names what compiled packages are made for: the system, the processor, and the C library where it is not the usual one. */
export function platformName(): string {
  return [process.platform, process.arch, ...(usesMusl() ? ["musl"] : [])].join("-");
}

let musl: boolean | undefined;

function usesMusl(): boolean {
  if (process.platform !== "linux") return false;
  // The type of the report is `object`. Node names the version of glibc, and leaves it out with another library.
  const header = (): unknown => (process.report.getReport() as { header?: object }).header;
  musl ??= !("glibcVersionRuntime" in Object(header()));
  return musl;
}
