import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readText, textString } from "#lib/formats/pdf/objects/text.ts";
import type { PdfName, PdfValue } from "#lib/formats/pdf/objects/values.ts";
import { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { PdfAssembly } from "#lib/formats/pdf/pages/assembly.ts";
import { readPacket } from "#lib/formats/pdf/pages/read-packet.ts";
import { openInput } from "../../shared/pdf/pages/tasks.ts";
import { type PdfProperties, updateXmp } from "./xmp.ts";

const infoNames = {
  title: "/Title",
  author: "/Author",
  subject: "/Subject",
  keywords: "/Keywords",
} as const satisfies Record<keyof PdfProperties, PdfName>;

/** One file with other properties, in the information dictionary and in the XMP packet. */
export const setProperties = async (call: WorkerCall<PdfProperties>) => {
  const source = openInput(call);
  const { file } = source;
  const changedAt = new Date();
  const old = file.dict(file.trailer["/Info"]);
  const info: Record<PdfName, PdfValue> = { ...old };
  const all: Record<string, string | undefined> = {};
  for (const [key, name] of Object.entries(infoNames)) {
    const text = call.options[key as keyof PdfProperties]; // a key of the table
    if (text !== undefined) {
      delete info[name];
      if (text !== "") info[name] = textString(text);
    }
    all[key] = text ?? (readText(file.resolve(old[name])) || undefined);
  }
  const date = changedAt.toISOString().replace(/\D/g, "").slice(0, 14);
  info["/ModDate"] = textString(`D:${date}Z`);
  const output = call.work.scratch("pdf");
  const writer = new PdfWriter(output.path, file.version);
  const packet = Buffer.from(updateXmp(readPacket(file), all, changedAt));
  // Not compressed, so that programs that know no PDF find it.
  const stream = writer.addStream({ "/Type": "/Metadata", "/Subtype": "/XML" }, packet);
  const metadata = { info, packet: stream };
  const assembly = new PdfAssembly(writer, { metadata });
  assembly.add(source);
  assembly.finish();
  return { outputs: [{ ...output, pages: assembly.pages }] };
};
