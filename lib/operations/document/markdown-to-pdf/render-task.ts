import { join } from "node:path";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { readText } from "#lib/formats/office/text-import.ts";
import { limitError } from "#lib/limits/limits.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import { type RenderedMarkdown, renderMarkdown } from "../../shared/markdown/render.ts";
import type { ThemeName } from "./themes.ts";

/** Whether the file is plain text, of which every line break is kept. */
export interface MarkdownOptions {
  readonly theme: ThemeName;
  readonly isPlainText: boolean;
}

/** Writes a Markdown or text file as an HTML document, in a worker. */
export async function renderMarkdownFile({
  files: [file],
  options: { theme, isPlainText },
  work,
}: WorkerCall<MarkdownOptions>) {
  if (!file) throw new Error("there is no file");
  const text = await readText(file, work.limits);
  const { html, matter, title } = isPlainText ? renderText(text) : await render(text);
  const styles = await Promise.all(["base", theme].map(readStyles));
  const output = work.scratch("html");
  const document = toDocument({ html, title, lang: matter.lang, styles: styles.join("\n") });
  const { htmlBytes } = work.limits;
  if (Buffer.byteLength(document) > htmlBytes) throw limitError("htmlBytes", htmlBytes);
  await writeNew(output.path, document);
  return { outputs: [output], result: { ...matter, title } };
}

/** Throws `JobError` `too_complex` for a document that is nested too deeply. */
async function render(text: string): Promise<RenderedMarkdown> {
  try {
    return await renderMarkdown(text);
  } catch (cause) {
    // The parser calls itself for each level.
    if (!exceedsProgramLimits(cause)) throw cause;
    throw new JobError("too_complex", "The document is nested too deeply.", { cause });
  }
}

function renderText(text: string): RenderedMarkdown {
  return { html: `<pre class="text">${escapeHtml(text)}</pre>`, matter: {}, title: "" };
}

function readStyles(name: string): Promise<string> {
  return readRegular(join(import.meta.dirname, "themes", `${name}.css`), "utf8");
}

interface HtmlDocument {
  readonly html: string;
  readonly title: string;
  readonly lang: string | undefined;
  readonly styles: string;
}

/** HTML in the text may format it, but runs no scripts and embeds no other pages. */
const policy = "script-src 'none'; object-src 'none'; frame-src 'none'; form-action 'none'";

function toDocument({ html, title, lang, styles }: HtmlDocument): string {
  const language = /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/.test(lang ?? "") ? ` lang="${lang}"` : "";
  return `<!doctype html>
<html${language}>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
<body>
${html}
</body>
</html>
`;
}
