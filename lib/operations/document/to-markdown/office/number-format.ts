/** Numbers of cells as a spreadsheet shows them: dates, times, percentages, decimals and currencies. */

/** The number formats that have no definition in the file (ECMA-376, 18.8.30). */
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  14: "yyyy-mm-dd",
  15: "yyyy-mm-dd",
  16: "yyyy-mm-dd",
  17: "yyyy-mm",
  18: "hh:mm",
  19: "hh:mm:ss",
  20: "hh:mm",
  21: "hh:mm:ss",
  22: "yyyy-mm-dd hh:mm",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
  44: "#,##0.00",
  45: "mm:ss",
  46: "hh:mm:ss",
  47: "mm:ss",
};

/** The code of the format `id`, for which the file may have a definition. */
export function formatCode(id: number, custom: ReadonlyMap<number, string>): string {
  return custom.get(id) ?? builtIn[id] ?? "General";
}

/** A number by a format code. Dates are in ISO 8601, independent of the order in the code. */
export function formatNumber(value: number, code: string, usesDates1904: boolean): string {
  const [section = ""] = code.split(";");
  const quoted = section.replace(/\[(?:[^\][$][^\][]*)\]/g, "");
  const bare = quoted.replace(/"[^"]*"|\\.|_.|\*./g, "").replace(/\[\$[^\][]*\]/g, "");
  if (/[ymdhs]/i.test(bare)) return formatDate(value, bare, usesDates1904);
  if (!/[0#?]/.test(bare)) return formatGeneral(value);
  const decimals = /\.([0#?]+)/.exec(bare)?.[1]?.length ?? 0;
  const isPercent = bare.includes("%");
  const number = (isPercent ? value * 100 : value).toLocaleString("en-US", {
    minimumFractionDigits: Math.min(decimals, 10),
    maximumFractionDigits: Math.min(decimals, 10),
    useGrouping: /[#0],[#0]/.test(bare),
  });
  const currency = /\[\$([^\]-]+)/.exec(quoted)?.[1] ?? /["\\]?([€$£¥])/.exec(quoted)?.[1] ?? "";
  const isAfter = currency !== "" && quoted.lastIndexOf(currency) > quoted.search(/[0#?]/);
  const shown = isAfter ? `${number} ${currency}` : `${currency}${number}`;
  return `${shown.replace(/^([^\d-]+)-/, "-$1")}${isPercent ? "%" : ""}`;
}

/** Formats a number with up to eleven digits, as cells without a format show it. */
function formatGeneral(value: number): string {
  return `${Number(value.toPrecision(11))}`;
}

/** Days since the end of 1899, or since 1904 (ECMA-376, 18.17.4). */
function formatDate(value: number, code: string, usesDates1904: boolean): string {
  const days = value + (usesDates1904 ? 1462 : 0);
  const time = Math.round((days - 25_569) * 86_400) * 1000;
  if (!Number.isFinite(time) || Math.abs(time) > 8e15) return `${value}`;
  const iso = new Date(time).toISOString();
  const hasDate = /[yd]/i.test(code);
  const hasTime = /[hs]/i.test(code);
  const clock = /s/i.test(code) ? iso.slice(11, 19) : iso.slice(11, 16);
  if (!hasTime) return /d/i.test(code) ? iso.slice(0, 10) : iso.slice(0, 7);
  return hasDate ? `${iso.slice(0, 10)} ${clock}` : clock;
}
