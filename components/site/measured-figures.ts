import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A figure of docs/performance.md, with what it says. */
export interface MeasuredFigure {
  /** The value with its unit, such as `921 jobs/s`. */
  readonly value: string;
  readonly label: string;
  /** The command that measures it. */
  readonly command: string;
}

/** A row of a benchmark's table, found by its first two columns. */
interface Measured {
  readonly row: string;
  readonly side: string;
  readonly bench: string;
  readonly label: string;
}

const measured: readonly Measured[] = [
  {
    row: "whole request of a small job",
    side: "service",
    bench: "small-jobs",
    label: "from sending a small file to its result, in one request",
  },
  {
    row: "pipeline/file-inspect, 64×64 PNG, 8 clients",
    side: "service",
    bench: "small-jobs",
    label: "small jobs from upload to result",
  },
  {
    row: "jobs accepted, JSON with a URL, 20 clients",
    side: "service",
    bench: "requests",
    label: "accepted by one web process",
  },
  {
    row: "document/template-to-pdf, 100 invoices",
    side: "service",
    bench: "documents",
    label: "for 100 invoices as PDF from one template",
  },
  {
    row: "document/merge-pdf, 2,000 pages: merge two files",
    side: "service",
    bench: "documents",
    label: "to merge two PDFs of 2,000 pages in all",
  },
];

const file = join(process.cwd(), "docs/performance.md");

interface Figures {
  readonly figures: readonly MeasuredFigure[];
  /** The machine that they were measured on. */
  readonly machine: string;
}

let known: Figures | undefined;

/** The figures of the home page. The file is read once per process. */
export function readFigures(): Figures {
  known ??= parseFigures();
  return known;
}

function parseFigures(): Figures {
  const text = readFileSync(file, "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const figures = measured.map(({ row, side, bench, label }) => {
    const found = rows.find(([, one, other]) => one === row && other === side);
    if (!found) throw new Error(`docs/performance.md has no row "${row}" of ${side}`);
    const [, , , unit = "", median = ""] = found;
    return { value: `${median} ${unit}`, label, command: `npm run bench -- ${bench}` };
  });
  const [, machine = ""] = /^\d{4}-\d\d-\d\d: (\d+ cores)/m.exec(text) ?? [];
  return { figures, machine };
}
