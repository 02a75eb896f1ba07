import type { TextBox } from "#lib/formats/pdf/text/text-box.ts";

/** The look of a visible signature: name, date, reason and place in a box with a colored edge. */

/** The size of the signature in points. */
export const signatureBoxSize = { width: 210, height: 64 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface PlacedText extends Size {
  readonly left: number;
  readonly top: number;
}

/** The operators that draw the frame, and where the name and the details are, in points. */
export function layOutSignature({ width, height }: Size): { frame: string; texts: PlacedText[] } {
  const frame = [
    "q 0.97 0.98 0.99 rg 0.72 0.78 0.84 RG 0.6 w",
    `0.3 0.3 ${width - 0.6} ${height - 0.6} re B`,
    `0.06 0.3 0.5 rg 0 0 3.5 ${height} re f Q`,
  ].join("\n");
  const left = 9;
  const nameHeight = 19;
  const inner = width - left - 6;
  return {
    frame,
    texts: [
      { left, top: 6, width: inner, height: nameHeight },
      { left, top: 6 + nameHeight, width: inner, height: height - nameHeight - 10 },
    ],
  };
}

export interface SignatureText {
  readonly name: string;
  readonly time: Date;
  readonly reason: string | null;
  readonly location: string | null;
}

/** The texts of the box, in the order of `layOutSignature`. */
export function signatureTexts({ name, time, reason, location }: SignatureText): TextBox[] {
  const date = time.toLocaleString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  });
  const details = [
    `Digitally signed on ${date} UTC`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(location === null ? [] : [`Location: ${location}`]),
  ];
  const common = { family: "sans", isItalic: false, align: "start" } as const;
  const [first, second] = layOutSignature(signatureBoxSize).texts;
  const sizeOf = (text: PlacedText | undefined) => ({
    width: text?.width ?? 1,
    height: text?.height ?? 1,
  });
  return [
    {
      ...common,
      ...sizeOf(first),
      text: name,
      fontSize: 12.5,
      isBold: true,
      color: "#16202b",
      isMultiline: false,
    },
    {
      ...common,
      ...sizeOf(second),
      text: details.join("\n"),
      fontSize: 8,
      isBold: false,
      color: "#3c4a58",
      isMultiline: true,
    },
  ];
}
