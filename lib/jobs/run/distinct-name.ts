import { stemOf } from "#lib/engines/worker/output-name.ts";
import { labelOf } from "./operation-label.ts";

/** UTF-8 bytes of a file name: as many as other names of outputs have at most. */
const maxNameBytes = 200;

/**
 * The name of an output that has the name of the input: with what was done to it, so that both fit in one folder.
 * `photo.jpg` becomes `photo-watermark.jpg`. Other names stay.
 *
 * @param operation the ID of the last operation, such as `image/watermark-text`
 */
export function distinctName(name: string, inputName: string | undefined, operation: string) {
  if (name.toLowerCase() !== inputName?.toLowerCase()) return name;
  const ending = `-${labelOf(operation)}${name.slice(stemOf(name).length)}`;
  const letters = [...stemOf(name)];
  const write = () => `${letters.join("")}${ending}`;
  while (Buffer.byteLength(write()) > maxNameBytes) letters.pop();
  return write();
}
