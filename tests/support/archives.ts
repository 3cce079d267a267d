/** Builds tar and zip archives entry by entry, including ones that no packer would write. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface TarEntry {
  name: string;
  body?: string | Buffer;
  type?: "0" | "1" | "2" | "3" | "4" | "5" | "6";
  link?: string;
  mode?: number;
  /** The size that the header states, in place of the body's own. */
  size?: number;
}

export function tar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(tarEntry), Buffer.alloc(1024)]);
}

export function tarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tar(entries));
}

function tarEntry({ name, body = "", type = "0", link = "", mode = 0o644, size }: TarEntry): Buffer[] {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size ?? bytes.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

function octal(value: number, letters: number): string {
  return value.toString(8).padStart(letters, "0");
}

export interface ZipEntry {
  name: string;
  body?: string | Buffer;
  /** The mode of a Unix file system, with the file type. */
  mode?: number;
  encrypted?: boolean;
  /** The size that the header states, in place of the body's own. */
  size?: number;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  let offset = 0;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const { name, body = "", mode = 0o100644, encrypted = false, size } of entries) {
    const bytes = Buffer.from(body);
    const packed = deflateRawSync(bytes);
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (encrypted ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const end = Buffer.alloc(14);
    end.writeUInt32LE((mode << 16) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, label, packed]);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, end, label]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const tail = Buffer.alloc(18);
  tail.writeUInt16LE(entries.length, 4);
  tail.writeUInt16LE(entries.length, 6);
  tail.writeUInt32LE(list.length, 8);
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\u0005\u0006"), tail]);
}
