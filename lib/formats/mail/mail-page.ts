import { createDocument } from "@mixmark-io/domino";
import { JobError } from "#lib/errors.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { rejectDeepNesting } from "../html/deep-nesting.ts";
import { embedInStyles, findInline, listAttached, pictureUrls } from "./inline-pictures.ts";
import type { Mail } from "./mail.ts";

/** An e-mail as an HTML page to print. */

/** Elements that run, load or send something, or would replace the page. */
const removed =
  "script,noscript,iframe,frame,frameset,object,embed,applet,link,base,meta,form>button,audio,video,portal,template,dialog";

/** Attributes of the body that its look depends on. */
const bodyAttributes = ["style", "class", "dir", "lang", "bgcolor", "text"];

/** Mails are often as wide as a window; on paper nothing may be cut off. */
const bodyStyle = `
html { font: 10.5pt/1.5 "Liberation Sans", "Noto Sans", Arial, sans-serif; color: #1a1a1a; }
body { margin: 0 !important; overflow-wrap: anywhere; background: #fff; -webkit-print-color-adjust: exact; }
img { max-width: 100% !important; height: auto; }
table { max-width: 100% !important; }
pre { white-space: pre-wrap; }
blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 2px solid #c8ccd2; }
.mail-text { white-space: pre-wrap; font: inherit; margin: 0; unicode-bidi: plaintext; text-align: start; }
.mail-text .quote { color: #5c6570; }`;

const headStyle = `
:host { all: initial; display: block; margin: 0 0 18pt; direction: ltr;
  font: 9.5pt/1.45 "Liberation Sans", "Noto Sans", Arial, sans-serif; color: #1a1a1a; }
h1 { font-size: 15pt; line-height: 1.25; margin: 0 0 9pt; unicode-bidi: plaintext; text-align: start; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2pt 12pt; margin: 0;
  padding: 7pt 0; border: solid #c8ccd2; border-width: 0.75pt 0; }
dt { color: #5c6570; }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; text-align: start; }`;

/** The page of an e-mail. `loadsRemote`: pictures at URLs are loaded. Nothing else is, and no script runs. */
export function makeMailPage(mail: Mail, loadsRemote: boolean): string {
  const { styles, attributes, content } = mail.html?.trim() ? readBody(mail) : textBody(mail);
  const sources = loadsRemote ? "data: https: http:" : "data:";
  const policy = `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src ${sources}`;
  return [
    `<!doctype html><html><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escapeHtml(mail.subject)}</title><style>${bodyStyle}</style>${styles}</head>`,
    `<body${attributes}>${renderHead(mail)}`,
    `${content}</body></html>`,
  ].join("");
}

/** The subject and the header, apart from the styles of the e-mail. */
function renderHead(mail: Mail): string {
  const { from, to, cc, date, subject } = mail;
  const attached = listAttached(mail).map(
    ({ name, content }) => `${name} (${formatBytes(content.length)})`,
  );
  const fields = { From: from, To: to, Cc: cc, Date: date, Attachments: attached.join(", ") };
  // An attached page has none.
  if (from === "" && to === "" && subject === "") return "";
  const rows = Object.entries(fields)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  const head = `<style>${headStyle}</style><h1>${escapeHtml(subject || "(no subject)")}</h1><dl>${rows.join("")}</dl>`;
  return `<div><template shadowrootmode="open">${head}</template></div>`;
}

/** The layout of deeper pages takes the browser minutes; quotes of quotes have less than a hundred levels. */
const maxDepth = 1000;

function requireShallow(root: Node): void {
  let depth = 0;
  for (let node: Node | null = root; node; ) {
    if (depth > maxDepth) throw new JobError("too_complex", "The e-mail is nested too deeply.");
    if (node.firstChild) {
      node = node.firstChild;
      depth++;
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
    }
    node = node && node !== root ? node.nextSibling : null;
  }
}

interface Body {
  readonly styles: string;
  readonly attributes: string;
  readonly content: string;
}

/** The HTML of an e-mail without what must not run; pictures in it become data URIs. */
function readBody(mail: Mail): Body {
  const html = mail.html ?? "";
  rejectDeepNesting(html, "e-mail");
  const document = createDocument(html);
  requireShallow(document.body);
  for (const element of Array.from(document.querySelectorAll(removed))) element.remove();
  const urlOf = pictureUrls(mail);
  for (const element of Array.from(document.querySelectorAll("[src],[background]"))) {
    for (const name of ["src", "background"]) {
      const source = (element.getAttribute(name) ?? "").trim();
      if (!findInline(mail, source)) continue;
      const url = urlOf(source);
      if (url) element.setAttribute(name, url);
      else element.removeAttribute(name);
    }
  }
  for (const element of Array.from(document.querySelectorAll("[style]"))) {
    const style = element.getAttribute("style") ?? "";
    const embedded = embedInStyles(style, urlOf);
    if (embedded !== style) element.setAttribute("style", embedded);
  }
  const styles = Array.from(document.querySelectorAll("style")).map(({ textContent }) =>
    embedInStyles(textContent ?? "", urlOf),
  );
  for (const element of Array.from(document.querySelectorAll("style"))) element.remove();
  const attributes = bodyAttributes
    .map((name) => [name, document.body.getAttribute(name)] as const)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escapeHtml(value ?? "")}"`);
  return {
    styles: styles.map((text) => `<style>${text.replace(/<\//g, "<\\/")}</style>`).join(""),
    attributes: attributes.join(""),
    content: document.body.innerHTML,
  };
}

/** Plain text with its line breaks, links and quotes; each paragraph has its own direction. */
function textBody({ text = "" }: Mail): Body {
  const lines = text.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const marked = lines.map((line) => {
    const html = linkUrls(escapeHtml(line));
    return line.startsWith(">") ? `<span class="quote">${html}</span>` : html;
  });
  return {
    styles: "",
    attributes: "",
    content: `<pre class="mail-text">${marked.join("\n")}</pre>`,
  };
}

function linkUrls(html: string): string {
  return html.replace(
    /https?:\/\/[^\s<>&"]{1,2000}[^\s<>&".,;:!?)]/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
}

/** A size for people, such as `12 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
