import type { SheetFiles } from "#lib/engines/libreoffice/libreoffice.ts";
import type { OutputFile } from "../../define.ts";

/** Letters of a sheet's name in a file name. */
const maxLength = 30;

/** The outputs of sheets. If there are several, each has the name of its sheet, or its number. */
export function nameSheets(sheets: SheetFiles): OutputFile[] {
  const used = new Set<string>();
  return sheets.map(({ name, file }, index) => {
    if (sheets.length === 1) return file;
    const plain = name
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-");
    const short = [...plain]
      .slice(0, maxLength)
      .join("")
      .replace(/^-+|-+$/g, "");
    const label = short && !used.has(short) ? short : `sheet-${index + 1}`;
    used.add(label);
    return { ...file, suffix: `-${label}` };
  });
}
