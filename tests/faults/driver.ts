import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { faultPoint } from "#faults";
import { faultPoints } from "#lib/no-faults.ts";

/** Reaches every fault point, then prints the files that `#faults` and `#times` resolve to. */
for (const point of faultPoints) faultPoint(point);
const root = `${import.meta.dirname}/../..`;
const resolvePath = (name: string) => relative(root, fileURLToPath(import.meta.resolve(name)));
const report = { faults: resolvePath("#faults"), times: resolvePath("#times"), survived: true };
process.stdout.write(`${JSON.stringify(report)}\n`);
