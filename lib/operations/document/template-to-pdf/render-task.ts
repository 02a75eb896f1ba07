import type { Template } from "liquidjs";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { readText } from "#lib/formats/office/text-import.ts";
import { limitError } from "#lib/limits/limits.ts";
import { createLiquid, maxTemplateLength } from "./liquid-engine.ts";
import { translateTemplateError } from "./template-error.ts";

/**
 * Renders a Liquid template with each item of the data, in a worker. The files are the template and a
 * JSON list of objects; the outputs are HTML files, in order.
 */
export async function renderTemplate({ files: [template, data], work, progress }: WorkerCall) {
  if (!template || !data) throw new Error("a file is missing");
  const { htmlBytes } = work.limits;
  const text = await readText(template, work.limits);
  if (text.length > maxTemplateLength) {
    const message = `The template is too long: at most ${maxTemplateLength.toLocaleString("en")} characters are allowed.`;
    throw new JobError("too_complex", message);
  }
  // The runner has validated and written the list.
  const items = JSON.parse(await readRegular(data.path, "utf8")) as object[];
  const liquid = createLiquid();
  const parsed = translate(() => liquid.parse(text));
  const outputs = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const number = items.length > 1 ? index + 1 : undefined;
    const html = translate(() => render(liquid, parsed, item), number);
    bytes += Buffer.byteLength(html);
    if (bytes > htmlBytes) throw limitError("htmlBytes", htmlBytes);
    const output = work.scratch("html");
    await writeNew(output.path, html);
    outputs.push(output);
    progress((100 * (index + 1)) / items.length);
  }
  return { outputs };
}

function render(
  liquid: ReturnType<typeof createLiquid>,
  template: Template[],
  item: object,
): string {
  return String(liquid.renderSync(template, item));
}

function translate<Result>(work: () => Result, item?: number): Result {
  try {
    return work();
  } catch (error) {
    throw translateTemplateError(error, item);
  }
}
