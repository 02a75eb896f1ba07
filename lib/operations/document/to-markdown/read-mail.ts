import { findInline, listAttached } from "#lib/formats/mail/inline-pictures.ts";
import type { Mail } from "#lib/formats/mail/mail.ts";
import { formatBytes } from "#lib/formats/mail/mail-page.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";
import { readHtml } from "./read-html.ts";

/** An e-mail as HTML: its subject as a heading, its header, its body and the names of its attachments. */
export async function mailToHtml(
  mail: Mail,
  images: ImageCollector,
  omitted: Omitted,
): Promise<string> {
  const { from, to, cc, date, subject } = mail;
  const fields = Object.entries({ From: from, To: to, Cc: cc, Date: date })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<li><strong>${name}:</strong> ${escapeHtml(value)}</li>`);
  const attached = listAttached(mail).map(
    ({ name, content }) => `<li>${escapeHtml(name)} (${formatBytes(content.length)})</li>`,
  );
  return [
    `<h1>${escapeHtml(subject || "(no subject)")}</h1><ul>${fields.join("")}</ul>`,
    await readBody(mail, images, omitted),
    attached.length > 0 ? `<h2>Attachments</h2><ul>${attached.join("")}</ul>` : "",
  ].join("");
}

async function readBody(mail: Mail, images: ImageCollector, omitted: Omitted): Promise<string> {
  if (mail.html !== undefined && mail.html.trim() !== "") {
    return readHtml(mail.html, {
      images,
      omitted,
      readImage: async (source) => {
        const content = findInline(mail, source)?.content;
        return content && Buffer.from(content);
      },
    });
  }
  return textToHtml(mail.text ?? "");
}

/** Plain text as paragraphs; lines that begin with `>` are quotes. */
function textToHtml(text: string): string {
  const blocks = text.replaceAll("\r\n", "\n").split(/\n\s*\n/);
  return blocks.map((block) => renderBlock(block.split("\n"))).join("");
}

function renderBlock(lines: readonly string[]): string {
  const content = lines.filter((line) => line.trim() !== "");
  if (content.length === 0) return "";
  if (content.every((line) => line.startsWith(">"))) {
    return `<blockquote>${textToHtml(content.map((line) => line.replace(/^> ?/, "")).join("\n"))}</blockquote>`;
  }
  return `<p>${content.map((line) => linkUrls(escapeHtml(line.trim()))).join("<br>")}</p>`;
}

function linkUrls(html: string): string {
  return html.replace(
    /https?:\/\/[^\s<>&"]+[^\s<>&".,;:!?)]/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
}
