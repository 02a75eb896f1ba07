import { invalidForm } from "../base/errors.ts";
import type { Form } from "../form/form.ts";
import { readBookmarks, writeAll, writeByName } from "./bookmarks.ts";
import { encryptionSteps, readEncryption, requirePassword } from "./encryption.ts";
import {
  embedSteps,
  finishingSteps,
  formatSteps,
  metadataSteps,
  optimize,
  readEmbedsMetadata,
  readFinishing,
  readFormats,
  readImageQuality,
  readMetadata,
  readRotation,
  requireCompatible,
} from "./finishing.ts";
import { invoiceSteps, readInvoice, requireInvoice } from "./invoice.ts";
import { type Plan, type Step, step } from "./plan.ts";
import { readStamps, type StampKind } from "./stamps.ts";

/** Plans the routes under `/forms/pdfengines`. All throw `GotenbergError`. */

export function planMerge(form: Form): Plan {
  const finishing = readFinishing(form, { splits: false });
  const bookmarks = readBookmarks(form);
  const files = form.requirePdfs();
  const keeps = form.bool("autoIndexBookmarks", false);
  const titles = form.bool("titleBookmarks", false);
  form.validate();
  requireCompatible(finishing);
  const byName = bookmarks instanceof Map ? bookmarks : undefined;
  const list = Array.isArray(bookmarks) && bookmarks.length > 0 ? bookmarks : undefined;
  const before = byName
    ? [
        writeByName(
          files.map(({ filename }) => filename),
          byName,
          keeps || titles,
        ),
      ]
    : [];
  const kept = keeps || byName !== undefined;
  const outline = titles ? "titles" : kept ? "keep" : "none";
  const merge: Step[] =
    files.length > 1
      ? [
          step(
            "document/merge-pdf",
            { bookmarks: list ? "none" : outline },
            { takes: "all", naming: { kind: "none" } },
          ),
        ]
      : [];
  const after = list ? [writeAll(list)] : [];
  return { source: { files }, steps: [...before, ...merge, ...finishingSteps(finishing, after)] };
}

export function planSplit(form: Form): Plan {
  form.require("splitMode");
  form.require("splitSpan");
  const finishing = readFinishing(form);
  const files = form.requirePdfs();
  form.validate();
  requireCompatible(finishing);
  return { source: { files }, steps: finishingSteps(finishing) };
}

export function planConvert(form: Form): Plan {
  const formats = readFormats(form);
  const files = form.requirePdfs();
  form.validate();
  if (formats.pdfA === "" && !formats.pdfUa) {
    throw invalidForm("either 'pdfa' or 'pdfua' form fields must be provided");
  }
  return { source: { files }, steps: formatSteps(formats) };
}

export function planFlatten(form: Form): Plan {
  const files = form.requirePdfs();
  form.validate();
  return { source: { files }, steps: [step("document/flatten-pdf")] };
}

export function planOptimize(form: Form): Plan {
  const quality = readImageQuality(form);
  const files = form.requirePdfs();
  form.validate();
  return { source: { files }, steps: [optimize(quality)] };
}

export function planEncrypt(form: Form): Plan {
  const encryption = readEncryption(form);
  const files = form.requirePdfs();
  form.validate();
  if (encryption.userPassword === "" && encryption.ownerPassword === "") {
    throw invalidForm("a 'userPassword' or 'ownerPassword' is required");
  }
  requirePassword(encryption);
  return { source: { files }, steps: encryptionSteps(encryption) };
}

export function planReadMetadata(form: Form): Plan {
  const files = form.requirePdfs();
  form.validate();
  return { source: { files }, steps: [step("document/read-metadata")], answer: ({ tags }) => tags };
}

export function planWriteMetadata(form: Form): Plan {
  form.require("metadata");
  const metadata = readMetadata(form);
  const files = form.requirePdfs();
  form.validate();
  return { source: { files }, steps: metadataSteps(metadata) };
}

export function planEmbed(form: Form): Plan {
  const embeds = form.filesOf("embeds");
  const metadata = readEmbedsMetadata(form);
  const invoice = readInvoice(form);
  const files = form.requirePdfs();
  form.validate();
  requireInvoice(invoice, "");
  return { source: { files }, steps: [...invoiceSteps(invoice), ...embedSteps(embeds, metadata)] };
}

export function planInvoice(form: Form): Plan {
  const { pdfA } = readFormats(form);
  const invoice = readInvoice(form);
  const files = form.requirePdfs();
  form.validate();
  if (!invoice.level || !invoice.xml) {
    throw invalidForm("'facturxConformanceLevel' and 'facturxXml' are both required");
  }
  requireInvoice(invoice, pdfA);
  return { source: { files }, steps: invoiceSteps(invoice) };
}

export function planStamp(form: Form, kind: StampKind): Plan {
  const files = form.requirePdfs();
  form.validate();
  const steps = readStamps(form, kind);
  if (steps.length === 0) throw invalidForm(`form field '${kind}Source' is required`);
  return { source: { files }, steps };
}

export function planRotate(form: Form): Plan {
  form.require("rotateAngle");
  const rotation = readRotation(form);
  const files = form.requirePdfs();
  form.validate();
  return { source: { files }, steps: rotation ? [rotation] : [] };
}
