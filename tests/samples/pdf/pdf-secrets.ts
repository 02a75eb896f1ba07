import { makePdfBytes, pdfStream } from "./pdf-bytes.ts";

/** A PDF that has a text, "Secret Name", in all places that a PDF can have text. */

export interface SecretsOptions {
  /** Entries in addition of the page, such as `/Rotate 90`. */
  readonly page?: string;
  /** The encoding of the font; with an own one, the widths of glyphs are not known. */
  readonly encoding?: string;
}

const metadata = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">Secret Name</x:xmpmeta>`;

/** The picture is 20 × 10 white pixels at (200, 100) to (300, 150). */
const picture = Buffer.alloc(20 * 10 * 3, 255);

const content = [
  "BT /F1 14 Tf 50 250 Td (Keep this line) Tj 0 -20 Td (The Secret Name, here) Tj ET",
  "BT /F1 14 Tf 50 200 Td [(Se) -20 (cret) 30 ( Na) (me)] TJ T* 0 -20 Td (another line) ' ET",
  "/OC /Layer BDC BT /F1 10 Tf 50 140 Td (hidden Secret Name) Tj ET EMC",
  "/Span << /MCID 0 /ActualText (Secret Name) >> BDC BT 3 Tr /F1 10 Tf 50 120 Td (Secret Name) Tj ET EMC",
  "q 100 0 0 50 200 100 cm /Pic Do Q",
  "q 1 0 0 1 0 -200 cm /Frm Do Q",
].join("\n");

export function makeSecretPdf({
  page = "",
  encoding = "/WinAnsiEncoding",
}: SecretsOptions = {}): Buffer {
  const resources =
    "/Font << /F1 5 0 R >> /XObject << /Pic 6 0 R /Frm 7 0 R >> /Properties << /Layer 8 0 R >>";
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /Outlines 9 0 R /Metadata 10 0 R /AcroForm << /Fields [11 0 R] /DA (/F1 10 Tf) /DR << /Font << /F1 5 0 R >> >> >> /Names << /EmbeddedFiles << /Names [(Secret Name.txt) 13 0 R] >> >> /OCProperties << /OCGs [8 0 R] /D << /OFF [8 0 R] >> >> >>",
      `<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << ${resources} >> >>`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots [11 0 R 12 0 R 15 0 R] /Thumb 6 0 R ${page} >>`,
      pdfStream("", content),
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} >>`,
      pdfStream(
        "/Type /XObject /Subtype /Image /Width 20 /Height 10 /ColorSpace /DeviceRGB /BitsPerComponent 8",
        picture,
      ),
      pdfStream(
        "/Type /XObject /Subtype /Form /BBox [0 0 400 300]",
        "BT /F1 12 Tf 50 240 Td (form with Secret Name) Tj ET",
      ),
      "<< /Type /OCG /Name (Layer of Secret Name) >>",
      "<< /First 14 0 R /Last 14 0 R /Count 1 >>",
      pdfStream("/Type /Metadata /Subtype /XML", metadata),
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (who) /V (Mr Secret Name) /Rect [200 200 390 220] >>",
      "<< /Type /Annot /Subtype /Text /Contents (note: Secret Name) /Rect [350 20 370 40] >>",
      "<< /Type /Filespec /F (Secret Name.txt) /EF << /F 16 0 R >> >>",
      "<< /Title (About Secret Name) /Parent 9 0 R /Dest [3 0 R /Fit] >>",
      "<< /Type /Annot /Subtype /Link /Rect [50 248 150 262] /A << /S /URI /URI (https://example.org/) >> >>",
      pdfStream("/Type /EmbeddedFile", "Secret Name"),
      "<< /Title <FEFF0053006500630072006500740020004E0061006D0065> /Author (Ada Byron) >>",
    ],
    trailer: "/Info 17 0 R",
  });
}
