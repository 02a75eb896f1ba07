/** The small files that the status checks convert. */

/** A PNG image of 32 by 32 pixels. */
export const pngImage = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAARElEQVRIx+3NQQ0AAAgDMSROElKQOAkY4ASQLOm/VdUngQEGlSDBh0B9EhhgkCDBi2D6JDDAIEGCF4H7JDDAIEGCB8ECrdXATNK+2r0AAAAASUVORK5CYII=",
  "base64",
);

const sampleRate = 8000;

/** One second of a 440 Hz tone: WAV, 16-bit PCM, mono, 8 kHz. */
export function toneWav(): Buffer {
  const samples = Buffer.alloc(sampleRate * 2);
  for (let index = 0; index < sampleRate; index++) {
    const phase = (2 * Math.PI * 440 * index) / sampleRate;
    samples.writeInt16LE(Math.round(8000 * Math.sin(phase)), index * 2);
  }
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  // Format 1 is PCM, with one channel.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

export const htmlPage = Buffer.from(
  '<!doctype html><html lang="en"><title>Status check</title><p>Status check</p></html>',
);

export const rtfDocument = Buffer.from("{\\rtf1\\ansi Status check\\par}");

const pdfObjects = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Resources << >> >>",
];

/** An empty page of 200 by 100 points. */
export function emptyPdf(): Buffer {
  let text = "%PDF-1.4\n";
  const offsets = pdfObjects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer << /Size ${offsets.length + 1} /Root 1 0 R >>`;
  return Buffer.from(`${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF\n`, "latin1");
}
