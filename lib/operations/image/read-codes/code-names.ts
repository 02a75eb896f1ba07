/** Names of ZXing's formats that are not its own in lower case. */
const names: Readonly<Record<string, string>> = {
  DataBarOmni: "databar",
  DataBarStk: "databar",
  DataBarStkOmni: "databar",
  DataBarLtd: "databar_limited",
  DataBarExp: "databar_expanded",
  DataBarExpStk: "databar_expanded",
  RMQRCode: "rectangular_microqrcode",
};

/**
 * The type of a code by the names of `image/barcode`, and its text. ZXing reads UPC codes as the EAN-13
 * that they stand for.
 */
export function nameCode(format: string, text: string): { type: string; text: string } {
  if (format === "EAN13" && /^0\d{12}$/.test(text)) return { type: "upca", text: text.slice(1) };
  if (format === "UPCA" && text.length === 13) return { type: "upca", text: text.slice(1) };
  if (format === "UPCE") return { type: "upce", text: shortenUpc(text) };
  return { type: names[format] ?? format.toLowerCase(), text };
}

/** The 8 digits of a UPC-E for the 13 digits of its EAN-13 (GS1 General Specifications, 5.2.2.4.2). */
function shortenUpc(text: string): string {
  const [, system, maker = "", product = "", check] = /^0(\d)(\d{5})(\d{5})(\d)$/.exec(text) ?? [];
  if (system === undefined) return text;
  const number = Number(product);
  const digits = () => {
    if (/[012]00$/.test(maker) && number < 1000) {
      return maker.slice(0, 2) + product.slice(2) + maker[2];
    }
    if (maker.endsWith("00") && number < 100) return `${maker.slice(0, 3)}${product.slice(3)}3`;
    if (maker.endsWith("0") && number < 10) return `${maker.slice(0, 4)}${product.slice(4)}4`;
    return maker + product.slice(4);
  };
  return `${system}${digits()}${check}`;
}
