import { type ChildProcess, spawn } from "node:child_process";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { freePort, startStack, until } from "#tests/service/stack.ts";
import { readCpuSeconds } from "../measure/process-times.ts";
import { type BenchRow, makeRow, measureInTurns, type Round } from "../report/rows.ts";

/** The requests of clients of Gotenberg, against Gotenberg, whose program `GOTENBERG` names; without it, alone. */

const rounds = 3;
/** Until the engines have started and V8 has compiled what runs often: about a hundred requests. */
const warmUps = 4;
const secondsPerRound = 4;
const clients = 4;

interface Side {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The CPU seconds that the side has used so far. */
  readonly cpu: () => number;
}

interface Case {
  readonly name: string;
  readonly route: string;
  readonly parts: readonly (readonly [name: string, content: Buffer | string])[];
  readonly fields?: Readonly<Record<string, string>>;
  /** The least ratio of the rates. */
  readonly target: number;
}

const rows = Array.from({ length: 40 }, (_, index) => `<tr><td>${index}<td>Item<td>9.99`);
const page = `<style>td{border:1px solid}</style><h1>Invoice</h1><table>${rows.join("")}</table>`;
const pdf = makeRichPdf({ pages: 3 });
const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of the report.`);

const cases: readonly Case[] = [
  { name: "HTML", route: "chromium/convert/html", parts: [["index.html", page]], target: 2 },
  {
    name: "screenshot",
    route: "chromium/screenshot/html",
    parts: [["index.html", page]],
    target: 1.5,
  },
  {
    name: "office",
    route: "libreoffice/convert",
    parts: [["a.docx", makeDocx(paragraphs)]],
    target: 7,
  },
  {
    name: "merge",
    route: "pdfengines/merge",
    parts: [
      ["a.pdf", pdf],
      ["b.pdf", pdf],
    ],
    target: 1,
  },
  {
    name: "split",
    route: "pdfengines/split",
    parts: [["a.pdf", pdf]],
    fields: { splitMode: "intervals", splitSpan: "1" },
    target: 1,
  },
];

async function send({ url, headers }: Side, { route, parts, fields = {} }: Case): Promise<void> {
  const body = new FormData();
  for (const [name, content] of parts) {
    body.append("files", new Blob([new Uint8Array(Buffer.from(content))]), name);
  }
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const response = await fetch(`${url}/forms/${route}`, { method: "POST", headers, body });
  const bytes = await response.arrayBuffer();
  if (response.status === 200) return;
  throw new Error(`${route}: ${response.status} ${Buffer.from(bytes).toString().slice(0, 200)}`);
}

/** Requests a second, and the CPU time of all of them. */
async function measureRound(side: Side, one: Case): Promise<Round> {
  const before = side.cpu();
  const startedAt = performance.now();
  const end = startedAt + secondsPerRound * 1000;
  let count = 0;
  const sendUntilEnd = async () => {
    while (performance.now() < end) {
      await send(side, one);
      count++;
    }
  };
  await Promise.all(Array.from({ length: clients }, sendUntilEnd));
  const seconds = (performance.now() - startedAt) / 1000;
  return { value: count / seconds, cpuSeconds: (side.cpu() - before) / count };
}

async function startGotenberg(program: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const child = spawn(program, [`--api-port=${port}`], { stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  await until(
    async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false,
    180_000,
  );
  return { child, url };
}

/** Of the programs of the service, not of this one. */
function cpuOfService(): number {
  const programs = [...readCpuSeconds(process.pid)].filter(([name]) => name !== "other");
  return programs.reduce((sum, [, seconds]) => sum + seconds, 0);
}

async function measure(one: Case, sides: Readonly<Record<string, Side>>): Promise<BenchRow[]> {
  const entries = Object.entries(sides);
  for (const [, side] of entries) await send(side, one);
  const measured = entries.map(([name, side]) => [name, () => measureRound(side, one)] as const);
  const results = await measureInTurns(Object.fromEntries(measured), { rounds, warmUps });
  const made = Object.entries(results).flatMap(([side, { values, cpu = 0 }]) => [
    makeRow(one.name, side, "requests/s", values),
    // The CPU time of the service's own programs is known; Gotenberg starts and ends its engines.
    ...(side === "service"
      ? [makeRow(one.name, side, "ms of CPU each", (cpu / values.length) * 1000)]
      : []),
  ]);
  const [own, other] = [results.service?.values ?? [], results.Gotenberg?.values];
  if (!other) return made;
  // Each round with the one before it, so that other load on the machine affects both.
  const ratios = own.map((value, index) => value / (other[index] ?? Number.NaN));
  return [...made, makeRow(one.name, "ratio", "", ratios, { target: { min: one.target } })];
}

export default {
  title: "peers: Gotenberg",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    const program = process.env.GOTENBERG;
    const peer = program ? await startGotenberg(program) : undefined;
    try {
      const { url, apiKey } = stack;
      const sides: Record<string, Side> = {
        service: { url, headers: { "X-API-Key": apiKey }, cpu: cpuOfService },
      };
      if (peer) sides.Gotenberg = { url: peer.url, headers: {}, cpu: () => 0 };
      const made: BenchRow[] = [];
      for (const one of cases) made.push(...(await measure(one, sides)));
      return made;
    } finally {
      peer?.child.kill();
      await stack.stop();
    }
  },
};
