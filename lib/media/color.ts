export interface Rgba {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** The alpha from 0 to 1. */
  readonly alpha: number;
}

/** Parses `#rgb`, `#rrggbb`, `#rrggbbaa` or the same digits after `0x`. Channels are 0 to 255. */
export function parseColor(text: string): Rgba {
  const digits = text.replace(/^(#|0x)/i, "");
  const fullDigits =
    digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const channel = (start: number) => Number.parseInt(fullDigits.slice(start, start + 2), 16);
  const alpha = fullDigits.length === 8 ? channel(6) / 255 : 1;
  return { red: channel(0), green: channel(2), blue: channel(4), alpha };
}
