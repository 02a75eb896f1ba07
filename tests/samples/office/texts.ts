import { gzipSync } from "node:zlib";

/** Text documents of programs other than Word and Writer, written byte by byte around `text` (ASCII). */

const xml = `<?xml version="1.0" encoding="UTF-8"?>`;

/**
 * Makes a document of WordPerfect 5.1: a header, an index of packets (here empty), then text in
 * which 0x0A ends a line.
 */
export function makeWordPerfect(text: string): Buffer {
  const header = Buffer.alloc(26);
  header.write("\xffWPC", "latin1");
  header.writeUInt32LE(header.length, 4);
  header.writeUInt8(1, 8); // WordPerfect
  header.writeUInt8(10, 9); // a document
  header.writeUInt8(0, 10); // version 5
  header.writeUInt8(1, 11);
  header.writeUInt16LE(0xfffb, 16);
  return Buffer.concat([header, Buffer.from(`${text}\n`, "latin1")]);
}

/**
 * Makes a document of Microsoft Write: pages of 128 bytes for the header, the text, and the ends of
 * formatted runs.
 */
export function makeWrite(text: string): Buffer {
  const page = 128;
  const content = Buffer.from(`${text}\r\n`, "latin1");
  const pages = Math.ceil(content.length / page);
  const end = page + content.length;
  const file = Buffer.alloc(page * (1 + pages + 2));
  file.writeUInt16LE(0xbe31, 0);
  file.writeUInt16LE(0xab00, 4);
  file.writeUInt32LE(end, 14);
  const characters = 1 + pages;
  // The page of the paragraphs, then of sections and fonts: there are none, so each is after it.
  file.writeUInt16LE(characters + 1, 18);
  for (let at = 20; at <= 28; at += 2) file.writeUInt16LE(characters + 2, at);
  file.writeUInt16LE(characters + 2, 96);
  content.copy(file, page);
  for (const formats of [characters, characters + 1]) {
    const at = formats * page;
    file.writeUInt32LE(page, at);
    file.writeUInt32LE(end, at + 4);
    file.writeUInt16LE(0xffff, at + 8);
    file.writeUInt8(1, at + page - 1);
  }
  return file;
}

/** AbiWord; `zabw` is the same compressed. */
export function makeAbiWord(text: string): Buffer {
  return Buffer.from(
    `${xml}<abiword xmlns="http://www.abisource.com/awml.dtd" version="2.9.4"><section><p style="Normal">${text}</p></section></abiword>`,
  );
}

export function makeCompressedAbiWord(text: string): Buffer {
  return gzipSync(makeAbiWord(text));
}

export function makeFictionBook(text: string): Buffer {
  return Buffer.from(
    `${xml}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><genre>reference</genre><author><first-name>A</first-name><last-name>B</last-name></author><book-title>T</book-title><lang>en</lang></title-info></description><body><section><p>${text}</p></section></body></FictionBook>`,
  );
}

/** A Palm database with the records of an uncompressed PalmDoc text. */
export function makePalmDoc(text: string): Buffer {
  const content = Buffer.from(text, "latin1");
  const header = Buffer.alloc(78 + 16 + 2);
  header.write("text");
  header.write("TEXtREAd", 60);
  header.writeUInt16BE(2, 76);
  header.writeUInt32BE(header.length, 78);
  header.writeUInt32BE(header.length + 16, 86);
  const info = Buffer.alloc(16);
  info.writeUInt16BE(1, 0);
  info.writeUInt32BE(content.length, 4);
  info.writeUInt16BE(1, 8);
  info.writeUInt16BE(4096, 10);
  return Buffer.concat([header, info, content]);
}

/** Makes a document of T602, of DOS, with commands in lines that begin with "@". */
export function makeT602(text: string): Buffer {
  return Buffer.from(`@CT 1\r\n@LM 1\r\n@RM 60\r\n@PL 60\r\n@MT 0\r\n${text}\r\n`);
}

/** Makes a document of Hangul 3.0 (HWP 97), uncompressed, with one style and one paragraph. */
export function makeHangul(text: string): Buffer {
  const u16 = (...values: number[]) => {
    const bytes = Buffer.alloc(2 * values.length);
    for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
    return bytes;
  };
  const info = Buffer.alloc(128);
  // Millimeters are 1800/25.4 units: height, width, then the margins of an A4 page.
  u16(21048, 14880, 1500, 1500, 1500, 1500, 700, 700, 0).copy(info, 6);
  const fonts = Buffer.concat(
    Array.from({ length: 7 }, () => Buffer.concat([u16(1), Buffer.alloc(40)])),
  );
  const characters = [...Buffer.from(text, "latin1"), 13];
  const shape = Buffer.alloc(31);
  shape.writeUInt16LE(250, 0);
  shape.fill(100, 9, 16);
  const paragraph = Buffer.concat([
    Buffer.from([0]),
    u16(characters.length, 1),
    Buffer.alloc(6),
    Buffer.from([0]),
    shape,
    Buffer.alloc(187),
    Buffer.alloc(14),
    u16(...characters),
  ]);
  return Buffer.concat([
    Buffer.from("HWP Document File V3.00 \x1a\x01\x02\x03\x04\x05", "latin1"),
    info,
    Buffer.alloc(1008),
    fonts,
    u16(0),
    paragraph,
    Buffer.alloc(43),
  ]);
}
