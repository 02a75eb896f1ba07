/**
 * Reports the progress of long steps on stderr: one animated line on a terminal, plain lines elsewhere.
 * Several steps may run at the same time.
 */

const out = process.stderr;
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** How often a long step prints a line where lines cannot be redrawn. */
const reminderMs = 15_000;

/** The title of the build of the web app, which the set-up or the service starts. */
export const buildTitle = "Building the web app";

/** How long the build takes, which depends on the processor more than on anything else. */
export const buildHint = "usually 1 to 3 minutes, limited by the processor";

/** @typedef {{ title: string, hint: string, detail: string, startedAt: number, remindedAt: number }} Step */

/** @type {Set<Step>} */
const running = new Set();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/**
 * Runs `work` and reports its progress. `work` can report details with `onDetail`.
 *
 * @template T
 * @param {string} title like "Installing packages"
 * @param {(onDetail: (detail: string) => void) => Promise<T>} work
 * @param {string} [hint] how long it usually takes
 * @returns {Promise<T>}
 */
export async function showStep(title, work, hint = "") {
  const now = Date.now();
  /** @type {Step} */
  const step = { title, hint: hint && `, ${hint}`, detail: "", startedAt: now, remindedAt: now };
  running.add(step);
  timer ??= setInterval(draw, out.isTTY ? 100 : 1000);
  if (!out.isTTY) out.write(`${title}${step.hint} …\n`);
  let mark = "✗";
  try {
    const result = await work((detail) => {
      step.detail = detail;
    });
    mark = "✓";
    return result;
  } finally {
    running.delete(step);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    out.write(`${clearLine()}${mark} ${title} (${seconds(step)} s)\n`);
  }
}

/**
 * Prints one line above the progress line.
 *
 * @param {string} line
 */
export function printLine(line) {
  out.write(`${clearLine()}${line}\n`);
}

function draw() {
  const steps = [...running];
  if (out.isTTY) {
    const frame = spinner[Math.floor(Date.now() / 100) % spinner.length];
    const text = steps.map((step) => `${step.title} ${seconds(step)} s${step.hint}`).join(" · ");
    const details = steps.map((step) => step.detail).filter((detail) => detail !== "");
    const line = `${frame} ${text}  ${details.at(-1) ?? ""}`;
    out.write(`${clearLine()}${line.slice(0, (out.columns ?? 80) - 1)}`);
    return;
  }
  for (const step of steps) {
    if (Date.now() - step.remindedAt < reminderMs) continue;
    step.remindedAt = Date.now();
    const line = `${step.title}: ${seconds(step)} s so far${step.hint}. ${step.detail}`;
    out.write(`${line.trimEnd()}\n`);
  }
}

/** @param {Step} step */
function seconds(step) {
  return Math.round((Date.now() - step.startedAt) / 1000);
}

function clearLine() {
  return out.isTTY ? "\r\u001b[2K" : "";
}
