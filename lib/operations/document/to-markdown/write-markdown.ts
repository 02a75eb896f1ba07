import { createDocument } from "@mixmark-io/domino";
import TurndownService from "turndown";
import { escapeMarkdown, escapeUrl, safeUrl } from "./content/escape.ts";
import { renderTable } from "./table.ts";

export interface OutlineEntry {
  /** The level of the heading, from 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** The number of its page; absent if the document has no page marks with numbers. */
  readonly page?: number;
}

export interface Markdown {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
}

/** Headings beyond it are left out of the outline, which is stored with the job. */
const maxOutline = 2000;
const maxHeadingLength = 300;

/** Markdown of the HTML that the readers produce. Throws `RangeError` for deep nesting. */
export function writeMarkdown(html: string): Markdown {
  const document = createDocument(`<body>${html}`);
  const hasEquations = document.querySelector("tex-math") !== null;
  const text = numberNotes(createService(hasEquations).turndown(document.body))
    // Lines that are only white space, as in items without content.
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n");
  return { text: `${text.trim()}\n`, outline: readOutline(document) };
}

/** References to notes and the notes, which the readers mark, numbered in the order of the text. */
function numberNotes(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(/\ue000(\w{1,20})\ue001/g, (_, id: string) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `[^${number}]`;
  });
}

function createService(hasEquations: boolean): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
    br: "\\",
  });
  service.escape = hasEquations
    ? (text) => escapeMarkdown(text).replaceAll("$", "\\$")
    : escapeMarkdown;
  service.addRule("equation", {
    filter: (node) => node.nodeName === "TEX-MATH",
    replacement: (_, node) => renderEquation(node as Element),
  });
  service.addRule("script", {
    filter: ["sup", "sub"],
    replacement: (content, node) => {
      const name = node.nodeName.toLowerCase();
      return content.trim() === "" ? content : `<${name}>${content}</${name}>`;
    },
  });
  service.addRule("page", {
    filter: (node) => node.nodeName === "PAGE-MARK",
    replacement: (_, node) =>
      `\n\n<!-- page ${(node.textContent ?? "").replace(/-+>?|[<>]/g, "")} -->\n\n`,
  });
  service.addRule("note", {
    filter: (node) => node.nodeName === "FOOT-NOTE",
    replacement: (content, node) => {
      const id = (node as Element).getAttribute("id");
      return `\n\n\ue000${id}\ue001: ${content.trim().replace(/\n(?=.)/g, "\n    ")}\n\n`;
    },
  });
  service.addRule("heading", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content, node) => {
      const line = content.replace(/\\?\n+/g, " ").trim();
      return line === "" ? "" : `\n\n${"#".repeat(Number(node.nodeName[1]))} ${line}\n\n`;
    },
  });
  service.addRule("item", { filter: "li", replacement: renderItem });
  service.addRule("list", {
    filter: ["ul", "ol"],
    // A list in an item follows its text without an empty line.
    replacement: (content, node) =>
      node.parentNode?.nodeName === "LI" ? `\n${content.trim()}\n` : `\n\n${content.trim()}\n\n`,
  });
  service.addRule("deleted", {
    filter: (node) => /^(DEL|S|STRIKE)$/.test(node.nodeName),
    replacement: (content) => (content.trim() === "" ? content : `~~${content}~~`),
  });
  service.addRule("link", { filter: "a", replacement: renderLink });
  service.addRule("image", { filter: "img", replacement: renderImage });
  service.addRule("table", {
    filter: "table",
    // The filter has checked the element.
    replacement: (_, node) =>
      renderTable(node as HTMLTableElement, (cell) => service.turndown(cell)),
  });
  return service;
}

/**
 * Renders an equation as GitHub shows it. A `|` would end a cell of a table, so readers write
 * `\vert`.
 */
function renderEquation(equation: Element): string {
  const tex = (equation.textContent ?? "").replace(/\s+/g, " ").trim();
  return equation.hasAttribute("display") ? `\n\n$$${tex}$$\n\n` : `$${tex}$`;
}

/** An item, whose further lines are indented as wide as its marker. */
function renderItem(content: string, node: Node): string {
  const list = node.parentNode as Element | null;
  const isOrdered = list?.nodeName === "OL";
  const items = Array.from(list?.children ?? []).filter(({ nodeName }) => nodeName === "LI");
  const start = Number(list?.getAttribute("start") ?? 1) || 1;
  const marker = isOrdered ? `${start + items.indexOf(node as Element)}. ` : "- ";
  const lines = content.trim().split("\n");
  const indented = lines.map((line, index) =>
    index === 0 || line === "" ? line : `${" ".repeat(marker.length)}${line}`,
  );
  // Items of several paragraphs are separated by empty lines.
  return `${marker}${indented.join("\n")}\n${/\n\n(?! *(-|\d+\.) )/.test(content.trim()) ? "\n" : ""}`;
}

function renderLink(content: string, node: Node): string {
  const text = content.replace(/(?<!\s)\s*\n\s*/g, " ").trim();
  const url = safeUrl((node as Element).getAttribute("href") ?? "");
  if (text === "" || !url || url.startsWith("#")) return content;
  const isPlain = /^(https?|mailto):/.test(url) && !/[\s<>]/.test(url);
  const shown = node.textContent?.trim();
  if (isPlain && (shown === url || `mailto:${shown}` === url)) return `<${shown}>`;
  return `[${text}](${escapeUrl(url)})`;
}

function renderImage(_: string, node: Node): string {
  const image = node as Element;
  const alt = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
  const url = safeUrl(image.getAttribute("src") ?? "");
  return url ? `![${escapeMarkdown(alt)}](${escapeUrl(url)})` : escapeMarkdown(alt);
}

function readOutline(document: Document): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let page: number | undefined;
  for (const element of Array.from(document.body.querySelectorAll("h1,h2,h3,h4,h5,h6,page-mark"))) {
    markScripts(element);
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    if (element.nodeName === "PAGE-MARK") {
      // The sheets of a workbook have names.
      page = /^\d+$/.test(text) ? Number(text) : undefined;
    } else if (text !== "") {
      const heading = { level: Number(element.nodeName[1]), text: text.slice(0, maxHeadingLength) };
      outline.push(page === undefined ? heading : { ...heading, page });
    }
    if (outline.length >= maxOutline) break;
  }
  return outline;
}

/** In plain text, `m<sup>2</sup>` is `m^2`, and an equation is between dollar signs. */
function markScripts(element: Element): void {
  const marks = { SUP: ["^", ""], SUB: ["_", ""], "TEX-MATH": ["$", "$"] } as const;
  for (const script of Array.from(element.querySelectorAll("sup,sub,tex-math"))) {
    const [before, after] = marks[script.nodeName as keyof typeof marks];
    script.textContent = `${before}${script.textContent ?? ""}${after}`;
  }
}
