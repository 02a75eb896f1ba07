import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { faultPoint } from "#faults";
import { faultPoints } from "#lib/no-faults.ts";

/** Passes every moment and tells what stands behind the names that tests exchange. */
for (const moment of faultPoints) faultPoint(moment);
const root = `${import.meta.dirname}/../..`;
const pathOf = (name: string) => relative(root, fileURLToPath(import.meta.resolve(name)));
const facts = { faults: pathOf("#faults"), times: pathOf("#times"), lived: true };
process.stdout.write(`${JSON.stringify(facts)}\n`);
