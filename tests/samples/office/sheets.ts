import { gzipSync } from "node:zlib";
import { makeZip } from "../zip.ts";
import { relation, relations } from "./office-packages.ts";

/** Spreadsheets of programs other than Calc, with `text` (ASCII) in the first cell. */

const xml = `<?xml version="1.0" encoding="UTF-8"?>`;

/** A record as in BIFF, Lotus 1-2-3 and Quattro Pro: its kind, its length, its content. */
function record(kind: number, ...content: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(kind, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
}

const zeros = (count: number) => Buffer.alloc(count);

/** Makes a sheet of Excel 4, without an OLE container. */
export function makeExcel4(text: string): Buffer {
  return Buffer.concat([
    record(0x0409, [0, 0, 0x10, 0, 0, 0]),
    record(0x0204, zeros(6), [text.length, 0], Buffer.from(text)),
    record(0x000a),
  ]);
}

/** Lotus 1-2-3, release 2. The label prefix is an apostrophe. */
export function makeLotus(text: string): Buffer {
  return Buffer.concat([
    record(0, [0x06, 0x04]),
    record(0x06, zeros(8)),
    record(0x0f, [0xff], zeros(4), Buffer.from(`'${text}\0`)),
    record(0x01),
  ]);
}

/** Lotus 1-2-3, release 3 (WK3). */
export function makeLotus3(text: string): Buffer {
  return Buffer.concat([
    record(0, [0, 0x10, 4, 0], zeros(22)),
    record(0x16, zeros(4), Buffer.from(`'${text}\0`)),
    record(0x01),
  ]);
}

/** Makes one sheet of Quattro Pro 6 for Windows. */
export function makeQuattro(text: string): Buffer {
  return Buffer.concat([
    record(0x00, [2, 0x10]),
    record(0xca),
    record(0x0f, zeros(6), Buffer.from(`'${text}\0`)),
    record(0xcb),
    record(0x01),
  ]);
}

export function makeGnumeric(text: string): Buffer {
  return gzipSync(
    `${xml}<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Version Epoch="1" Major="12" Minor="55" Full="1.12.55"/><gnm:SheetNameIndex><gnm:SheetName gnm:Cols="256" gnm:Rows="65536">S</gnm:SheetName></gnm:SheetNameIndex><gnm:Sheets><gnm:Sheet><gnm:Name>S</gnm:Name><gnm:MaxCol>0</gnm:MaxCol><gnm:MaxRow>0</gnm:MaxRow><gnm:Cells><gnm:Cell Row="0" Col="0" ValueType="60">${text}</gnm:Cell></gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`,
  );
}

/** Makes a table of dBase III with one column `T`. */
export function makeDbase(text: string): Buffer {
  const header = Buffer.alloc(32 + 32 + 1);
  header.set([3, 124, 1, 31], 0);
  header.writeUInt32LE(1, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(21, 10);
  header.write("T", 32);
  header.write("C", 43);
  header.writeUInt8(20, 48);
  header.writeUInt8(13, 64);
  return Buffer.concat([header, Buffer.from(` ${text.padEnd(20)}\x1a`, "latin1")]);
}

/** Makes a sheet of Excel 2003 XML. */
export function makeExcelXml(text: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">${text}</Data></Cell></Row></Table></Worksheet></Workbook>`,
  );
}

/** A record of BIFF12: kind and length are numbers of 7 bits a byte. */
function binaryRecord(kind: number, ...content: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)));
  const head = kind < 0x80 ? [kind] : [(kind & 0x7f) | 0x80, kind >> 7];
  return Buffer.concat([Buffer.from([...head, body.length]), body]);
}

function wideString(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, Buffer.from(text, "utf16le")]);
}

/** An Excel binary workbook (MS-XLSB). */
export function makeBinaryWorkbook(text: string): Buffer {
  const ids = [0, 0, 0, 0, 1, 0, 0, 0];
  const workbook = Buffer.concat([
    binaryRecord(131),
    binaryRecord(143),
    binaryRecord(156, ids, wideString("s1"), wideString("S")),
    binaryRecord(144),
    binaryRecord(132),
  ]);
  const sheet = Buffer.concat([
    binaryRecord(129),
    binaryRecord(145),
    binaryRecord(0, zeros(8), [0x2c, 0x01], zeros(3), zeros(4)),
    binaryRecord(6, zeros(8), wideString(text)),
    binaryRecord(146),
    binaryRecord(130),
  ]);
  const type = (name: string, kind: string) =>
    `<Override PartName="/xl/${name}.bin" ContentType="application/vnd.ms-excel.${kind}"/>`;
  return makeZip([
    {
      name: "[Content_Types].xml",
      content: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${type("workbook", "sheet.binary.macroEnabled.main")}${type("worksheets/sheet1", "worksheet")}</Types>`,
    },
    {
      name: "_rels/.rels",
      content: relations(relation("r1", "officeDocument", "xl/workbook.bin", false)),
    },
    { name: "xl/workbook.bin", content: workbook },
    {
      name: "xl/_rels/workbook.bin.rels",
      content: relations(relation("s1", "worksheet", "worksheets/sheet1.bin", false)),
    },
    { name: "xl/worksheets/sheet1.bin", content: sheet },
  ]);
}
