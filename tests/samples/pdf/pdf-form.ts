import { makePdfBytes, pdfStream } from "./pdf-bytes.ts";

/** A PDF form with two pages and all types of fields, written byte by byte. */

export interface FormOptions {
  /** Entries in addition of the form's dictionary, such as `/XFA (x)`. */
  readonly form?: string;
  /** Entries in addition of the first page, such as `/Rotate 90`. */
  readonly page?: string;
}

const state = (name: string) => `<< /N << /${name} 19 0 R /Off 20 0 R >> >>`;
const widget = "/Type /Annot /Subtype /Widget";

/**
 * The fields: `person.name` (text with a tooltip, a value and a default, required), `person.note` (text
 * with several lines), `code` (comb of 6), `agree` (check box), `color` (radio group with the options
 * red and blå), `city` (dropdown), `days` (list), `send` (push button), `sign` (signature), `locked`
 * (read-only text on page 2), `copy` (text with two widgets, one on each page).
 */
export function makeFormPdf({ form = "", page = "" }: FormOptions = {}): Buffer {
  const dictionary = `/DR << /Font << /Helv 21 0 R >> >> /DA (/Helv 11 Tf 0 0 0.6 rg) ${form}`;
  const onFirst = "[8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 23 0 R]";
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /AcroForm 5 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Annots ${onFirst} ${page} >>`,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Annots [18 0 R 24 0 R] >>",
      `<< /Fields [6 0 R 10 0 R 11 0 R 7 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 22 0 R] ${dictionary} >>`,
      "<< /T (person) /Kids [8 0 R 9 0 R] >>",
      "<< /FT /Btn /Ff 49152 /T (color) /Opt [(red) <FEFF0062006C00E5>] /Kids [12 0 R 13 0 R] >>",
      `<< ${widget} /FT /Tx /Parent 6 0 R /T (name) /TU (Your name) /Ff 2 /V (Ada) /DV (Bob) /Rect [20 260 200 280] >>`,
      `<< ${widget} /FT /Tx /Parent 6 0 R /T (note) /Ff 4096 /Rect [20 180 200 250] >>`,
      `<< ${widget} /FT /Tx /T (code) /Ff 16777216 /MaxLen 6 /Rect [20 150 200 170] >>`,
      `<< ${widget} /FT /Btn /T (agree) /AS /Off /AP ${state("Yes")} /Rect [20 120 34 134] >>`,
      `<< ${widget} /Parent 7 0 R /AS /Off /AP ${state("0")} /Rect [50 120 64 134] >>`,
      `<< ${widget} /Parent 7 0 R /AS /Off /AP ${state("1")} /Rect [80 120 94 134] >>`,
      `<< ${widget} /FT /Ch /Ff 131072 /T (city) /Opt [[(k) (Copenhagen)] [(t) (Tokyo)]] /V (k) /Rect [220 260 380 280] >>`,
      `<< ${widget} /FT /Ch /Ff 2097152 /T (days) /Opt [(Mon) (Tue) (Wed)] /Rect [220 180 380 250] >>`,
      `<< ${widget} /FT /Btn /Ff 65536 /T (send) /MK << /CA (Send) >> /Rect [220 150 280 170] >>`,
      `<< ${widget} /FT /Sig /T (sign) /Rect [220 100 380 140] >>`,
      `<< ${widget} /FT /Tx /Ff 1 /T (locked) /V (fixed) /Rect [20 60 180 80] >>`,
      pdfStream("/Type /XObject /Subtype /Form /BBox [0 0 14 14]", "0 0.5 0 rg 2 2 10 10 re f"),
      pdfStream("/Type /XObject /Subtype /Form /BBox [0 0 14 14]", "0.5 w 1 1 12 12 re S"),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /FT /Tx /T (copy) /Kids [23 0 R 24 0 R] >>",
      `<< ${widget} /Parent 22 0 R /Rect [20 80 200 100] >>`,
      `<< ${widget} /Parent 22 0 R /Rect [20 20 180 40] >>`,
    ],
  });
}
