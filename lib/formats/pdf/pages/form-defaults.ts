import type { PdfFile } from "../objects/file.ts";
import { byteString, stringBytes } from "../objects/text.ts";
import {
  isArray,
  isDict,
  type PdfArray,
  type PdfDict,
  type PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from "../objects/values.ts";
import type { SelectedFields } from "./form-fields.ts";

/** What fields inherit from their form (ISO 32000-1, 12.7.2): appearance, alignment and fonts. */

const maxDepth = 5;

/** Writes the default appearance and alignment of the form in the root fields without their own. Changes `file`. */
export function writeDefaults(file: PdfFile, fields: PdfArray): void {
  const form = file.dict(file.catalog["/AcroForm"]);
  const appearance = file.resolve(form["/DA"]);
  const alignment = file.resolve(form["/Q"]);
  const defaults: PdfDict = {
    ...(appearance instanceof PdfString ? { "/DA": appearance } : {}),
    ...(typeof alignment === "number" ? { "/Q": alignment } : {}),
  };
  for (const field of fields) {
    const dict = file.dict(field);
    if (dict["/FT"] === "/Sig" || !(field instanceof PdfRef)) continue;
    file.set(field, { ...defaults, ...dict });
  }
}

/** The fonts of forms that become one. */
export class JoinedFonts {
  /** By name, a description that equal fonts share; undefined if a font is like no other. */
  readonly #fonts = new Map<PdfName, string | undefined>();

  /**
   * Adds the fonts of a form, and returns them with the names that they get, which no other font has. Changes
   * `file`: the default appearances of the fields have these names.
   */
  add(file: PdfFile, fonts: PdfDict, { kept }: SelectedFields): PdfDict {
    const renamed = new Map<string, PdfName>();
    const added: Record<PdfName, PdfValue> = {};
    for (const [key, font] of Object.entries(fonts)) {
      const name = key as PdfName; // the type of Object.entries is wider
      const look = describeFont(file, font);
      const isOther = this.#fonts.has(name) && (!look || this.#fonts.get(name) !== look);
      let chosen = name;
      for (let count = 2; isOther && (this.#fonts.has(chosen) || chosen in fonts); count++) {
        chosen = `${name}_${count}`;
      }
      if (isOther) renamed.set(name, chosen);
      this.#fonts.set(chosen, look);
      added[chosen] = font;
    }
    if (renamed.size === 0) return added;
    for (const number of kept) {
      const { value } = file.object(number);
      const appearance = isDict(value) ? file.resolve(value["/DA"]) : null;
      if (!isDict(value) || !(appearance instanceof PdfString)) continue;
      const text = stringBytes(appearance).toString("latin1");
      const changed = text.replace(
        /(\/[^\s/()<>[\]{}%]+)(?=\s+[-+\d.]+\s+Tf\b)/g,
        (name) => renamed.get(name) ?? name,
      );
      const written = byteString(Buffer.from(changed, "latin1"));
      file.set(new PdfRef(number), { ...value, "/DA": written });
    }
    return added;
  }
}

/** Equal for fonts that are the same in two files: those that are not embedded, with the same encoding. */
function describeFont(file: PdfFile, font: PdfValue): string | undefined {
  const dict = file.dict(font);
  const isStandard = dict["/Subtype"] === "/Type1" && !("/FontDescriptor" in dict);
  return isStandard && !("/ToUnicode" in dict) ? JSON.stringify(expand(file, dict, 0)) : undefined;
}

function expand(file: PdfFile, value: PdfValue, depth: number): PdfValue {
  const found = file.resolve(value);
  if (depth > maxDepth) return null;
  if (isArray(found)) return found.map((item) => expand(file, item, depth + 1));
  if (!isDict(found)) return found;
  const entries = Object.entries(found).map(([key, item]) => [key, expand(file, item, depth + 1)]);
  return Object.fromEntries(entries);
}
