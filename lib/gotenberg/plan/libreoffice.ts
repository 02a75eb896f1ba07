import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { acceptsType } from "#lib/operations/define.ts";
import { GotenbergError, invalidForm } from "../base/errors.ts";
import type { Form } from "../form/form.ts";
import { finishingSteps, formatSteps, readFinishing, requireCompatible } from "./finishing.ts";
import { officeExtensions } from "./office-extensions.ts";
import { officeFieldNames, readExportOptions } from "./office-options.ts";
import { type JobFailure, type Plan, type Step, step, type Task } from "./plan.ts";

/** Plans `/forms/libreoffice/convert`. Throws `GotenbergError`. */
export function planOffice(form: Form): Plan {
  const finishing = readFinishing(form);
  const files = form.requireFiles(officeExtensions);
  const password = form.text("password");
  const ranges = form.text("nativePageRanges");
  const options = readExportOptions(form);
  form.bool("nativePdfFormats", true);
  const merges = form.bool("merge", false);
  form.validate();
  requireCompatible(finishing);
  const { pdfA } = finishing.formats;
  try {
    formatSteps(finishing.formats);
  } catch (error) {
    if (!(error instanceof GotenbergError)) throw error;
    throw new GotenbergError(
      400,
      `The PDF format '${pdfA}' is not supported. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.`,
    );
  }
  if (ranges !== "" && !/^[\d\s,-]+$/.test(ranges)) throw badRanges(ranges, files[0]?.filename);
  const isSingle = files.length === 1;
  const others = files.filter(({ type }) => !takes("document/doc-to-pdf", type.id));
  const pages = ranges.replaceAll(/\s+/g, "");
  const convert = step(
    "document/doc-to-pdf",
    {
      ...(password ? { password } : {}),
      ...(pages ? { page_ranges: pages } : {}),
      ...(Object.keys(options).length > 0 ? { export_options: options } : {}),
    },
    {
      otherTasks: new Map(
        others.map((file) => [file.filename, taskFor(file, pages, options.landscape === true)]),
      ),
      fields: officeFieldNames,
      naming:
        isSingle && !finishing.split ? { kind: "none" } : { kind: "append", extension: "pdf" },
    },
  );
  const merge: Step[] =
    merges && files.length > 1
      ? [
          step(
            "document/merge-pdf",
            { bookmarks: "none" },
            { takes: "all", naming: { kind: "none" } },
          ),
        ]
      : [];
  return {
    source: { files },
    steps: [convert, ...merge, ...finishingSteps(finishing)],
    explain: (failure) => explainOffice(failure, { password, ranges }),
  };
}

/**
 * What converts a file that is no office document: LibreOffice would draw it again. A PDF is only shortened. The
 * password is that of office documents.
 */
function taskFor({ type }: UploadedFile, pages: string, landscape: boolean): Task | undefined {
  if (type.id === "pdf") {
    return pages ? { operation: "document/extract-pages", params: { pages } } : undefined;
  }
  if (type.id === "html") {
    const params = { landscape, ...(pages ? { page_ranges: pages } : {}) };
    return { operation: "document/html-to-pdf", params };
  }
  const drawing = "document/images-to-pdf";
  return { operation: takes(drawing, type.id) ? drawing : "document/doc-to-pdf", params: {} };
}

function takes(id: string, type: MediaTypeId): boolean {
  const operation = findOperation(id);
  return operation !== undefined && acceptsType(operation, type);
}

const conversions: ReadonlySet<string> = new Set([
  "document/doc-to-pdf",
  "document/extract-pages",
  "document/html-to-pdf",
  "document/images-to-pdf",
]);

/** Failures of the service, not of the document. */
const ownFailures: ReadonlySet<string> = new Set(["internal", "engine_crashed", "out_of_memory"]);

function explainOffice(
  { code, message, formMessage, filename = "", operation }: JobFailure,
  { password, ranges }: { readonly password: string; readonly ranges: string },
): GotenbergError | undefined {
  if (!conversions.has(operation)) return undefined;
  if (code === "encrypted" && password === "") {
    return new GotenbergError(
      400,
      `The document '${filename}' is password-protected. Provide its password in the 'password' form field.`,
    );
  }
  if (code === "encrypted") {
    return new GotenbergError(
      400,
      `The password for the document '${filename}' is incorrect. Check the 'password' form field.`,
    );
  }
  if (/not protected/.test(message)) {
    return new GotenbergError(
      400,
      `The document '${filename}' is not password-protected. Remove the 'password' form field.`,
    );
  }
  if (code === "empty" || /`(?:page_ranges|pages)`/.test(message))
    return badRanges(ranges, filename);
  if (code === "corrupt" || code === "unsupported_type" || code === "invalid_input") {
    return new GotenbergError(
      400,
      `LibreOffice could not read the document '${filename}'. Ensure the file is not corrupted and that its extension matches its actual format.`,
    );
  }
  if (code === "too_complex") {
    return new GotenbergError(
      400,
      `LibreOffice read the document '${filename}' but could not convert it to PDF. The document may be corrupted or rely on an unsupported feature.`,
    );
  }
  if (code === "invalid_parameter") return invalidForm(formMessage);
  if (!ownFailures.has(code)) return undefined;
  return new GotenbergError(
    500,
    `LibreOffice failed to convert the document '${filename}'. This is usually a resource issue: increase the container's memory and CPU, or reduce the document's size. The request is valid and may be retried.`,
  );
}

function badRanges(ranges: string, filename = ""): GotenbergError {
  return new GotenbergError(
    400,
    `LibreOffice could not apply the page ranges '${ranges}' to the document '${filename}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.`,
  );
}
