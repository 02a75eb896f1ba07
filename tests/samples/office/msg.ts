import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";
import { TypeEnum } from "@kenjiuno/msgreader/lib/Reader.js";

/** Makes Outlook files (MS-OXMSG). */

export interface MsgAttachment {
  readonly name: string;
  readonly content: Buffer;
  readonly mime?: string;
  readonly contentId?: string;
}

export interface MsgContent {
  readonly subject: string;
  /** The name and address of the sender. */
  readonly from: readonly [string, string];
  readonly to: readonly (readonly [string, string])[];
  readonly cc?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly html?: string;
  readonly attachments?: readonly MsgAttachment[];
}

type Property = readonly [
  tag: number,
  type: "text" | "bytes" | "number" | "time",
  value: string | Buffer | number,
];

const codes = { text: 0x001f, bytes: 0x0102, number: 0x0003, time: 0x0040 } as const;

export function makeMsg(content: MsgContent): Buffer {
  const { subject, from, to, cc = [], body, html, attachments = [] } = content;
  const files: Record<string, Buffer> = {};
  const recipients = [...to.map((one) => [1, one] as const), ...cc.map((one) => [2, one] as const)];
  addObject(files, "", header(recipients.length, attachments.length), [
    [0x001a, "text", "IPM.Note"],
    [0x0037, "text", subject],
    [0x0c1a, "text", from[0]],
    [0x5d01, "text", from[1]],
    [0x0039, "time", Date.UTC(2026, 8, 14, 7, 30)],
    [0x3fde, "number", 65_001],
    ...(body === undefined ? [] : [[0x1000, "text", body] as const]),
    ...(html === undefined ? [] : [[0x1013, "bytes", Buffer.from(html)] as const]),
  ]);
  for (const [index, [type, [name, address]]] of recipients.entries()) {
    addObject(files, `__recip_version1.0_#${hex(index)}/`, Buffer.alloc(8), [
      [0x0c15, "number", type],
      [0x3001, "text", name],
      [0x39fe, "text", address],
    ]);
  }
  for (const [index, { name, mime, contentId, content: bytes }] of attachments.entries()) {
    addObject(files, `__attach_version1.0_#${hex(index)}/`, Buffer.alloc(8), [
      [0x3705, "number", 1],
      [0x3707, "text", name],
      [0x3701, "bytes", bytes],
      ...(mime === undefined ? [] : [[0x370e, "text", mime] as const]),
      ...(contentId === undefined ? [] : [[0x3712, "text", contentId] as const]),
    ]);
  }
  return writeCompoundFile(files);
}

function hex(index: number): string {
  return index.toString(16).toUpperCase().padStart(8, "0");
}

/** The start of the properties of an e-mail: how many recipients and attachments it has. */
function header(recipients: number, attachments: number): Buffer {
  const bytes = Buffer.alloc(32);
  for (const at of [8, 16]) bytes.writeUInt32LE(recipients, at);
  for (const at of [12, 20]) bytes.writeUInt32LE(attachments, at);
  return bytes;
}

/** Adds the properties of an object: short values in one stream, longer ones in streams of their own. */
function addObject(
  files: Record<string, Buffer>,
  folder: string,
  start: Buffer,
  properties: readonly Property[],
): void {
  const rows = properties.map(([tag, type, value]) => {
    const row = Buffer.alloc(16);
    row.writeUInt16LE(codes[type], 0);
    row.writeUInt16LE(tag, 2);
    row.writeUInt32LE(6, 4);
    if (type === "number") {
      row.writeUInt32LE(Number(value), 8);
    } else if (type === "time") {
      // 100 nanoseconds since 1601.
      row.writeBigUInt64LE(BigInt(Number(value) + 11_644_473_600_000) * 10_000n, 8);
    } else {
      const bytes =
        type === "text" ? Buffer.from(`${value}`, "utf16le") : Buffer.from(value as Buffer);
      row.writeUInt32LE(bytes.length + (type === "text" ? 2 : 0), 8);
      const id = [tag, codes[type]].map((one) => one.toString(16).toUpperCase().padStart(4, "0"));
      files[`${folder}__substg1.0_${id.join("")}`] = bytes;
    }
    return row;
  });
  files[`${folder}__properties_version1.0`] = Buffer.concat([start, ...rows]);
}

/** Writes a compound file with the writer of the package that reads MSG files. */
function writeCompoundFile(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries: Entry[] = [
    {
      name: "Root Entry",
      type: TypeEnum.ROOT,
      length: 0,
      children: [],
      binaryProvider: () => [],
    },
  ];
  const folders = new Map([["", 0]]);
  const add = (parent: number, entry: Entry) => {
    const index = entries.push(entry) - 1;
    entries[parent]?.children?.push(index);
    return index;
  };
  for (const [path, bytes] of Object.entries(files)) {
    const [name = "", folder] = path.split("/").toReversed();
    if (folder !== undefined && !folders.has(folder)) {
      const empty = { length: 0, children: [], binaryProvider: () => [] };
      folders.set(folder, add(0, { name: folder, type: TypeEnum.DIRECTORY, ...empty }));
    }
    const content = new Uint8Array(bytes);
    add(folders.get(folder ?? "") ?? 0, {
      name,
      type: TypeEnum.DOCUMENT,
      length: bytes.length,
      binaryProvider: () => content,
    });
  }
  return Buffer.from(burn(entries));
}
