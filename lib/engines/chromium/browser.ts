import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "puppeteer";
import { type GuardedProxy, startGuardedProxy } from "#lib/net/proxy.ts";
import { insideFolder } from "../sandbox/bubblewrap.ts";
import { EngineError, EngineMissingError } from "../sandbox/errors.ts";
import { currentSandbox } from "../sandbox/level.ts";
import { startEngine } from "../sandbox/process.ts";
import { processPath } from "../sandbox/process-folder.ts";
import type { RunningProcess, SpawnRequest, UseLimits } from "../sandbox/spawn.ts";
import type { WarmWorker } from "../warm/pool.ts";
import { PipeTransport } from "./transport.ts";

/** In order of preference: the headless shell prints a page in a fifth of the full browser's time. */
const binaries = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/lib/chromium/chromium",
  "/usr/lib/chromium-browser/chromium-browser",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** What all processes of one browser may use; a heavy page takes some 300 MB. */
const memoryBytes = 2 * 2 ** 30;

/** Processes and threads; a page with a hundred frames has some 300. */
const processes = 2048;

const socketName = "proxy.sock";

/** `sun_path` has 108 bytes on Linux, 104 on macOS. */
const maxSocketPath = 100;

const startTimeoutMs = 30_000;

const flags = [
  "--headless",
  "--remote-debugging-pipe",
  // Loopback would pass by the proxy without the first; the others are the ways round any proxy.
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--block-new-web-contents",
  "--deny-permission-prompts",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-sync",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-breakpad",
  "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-first-run",
  "--no-pings",
  "--password-store=basic",
  "--use-mock-keychain",
];

/** The Chromium of this machine, if it has one. */
export function findChromium(): string | undefined {
  return binaries.find((path) => existsSync(path));
}

/**
 * One warm Chromium in its sandbox, behind a guarded proxy of its own, with the next job's page made
 * ahead of need. Each page lives in a context of its own, so nothing of one job reaches the next.
 */
export class ChromiumWorker implements WarmWorker {
  readonly #browser: Browser;
  readonly #proxy: GuardedProxy;
  readonly #running: RunningProcess;
  readonly #cleanUp: () => Promise<void>;
  #nextPage: Promise<Page>;
  #context: BrowserContext | undefined;
  #closed: Promise<void> | undefined;
  #isCutOff = false;

  private constructor(
    browser: Browser,
    running: RunningProcess,
    proxy: GuardedProxy,
    cleanUp: () => Promise<void>,
  ) {
    this.#browser = browser;
    this.#running = running;
    this.#proxy = proxy;
    this.#cleanUp = cleanUp;
    this.#nextPage = this.#prepare();
  }

  /** Throws `EngineMissingError`, or `EngineError` where it does not start. */
  static async open(limits: Partial<UseLimits> = {}): Promise<ChromiumWorker> {
    const binary = findChromium();
    if (!binary) throw new EngineMissingError("chromium");
    const { isolated } = await currentSandbox();
    const folder = await makeFolder();
    const proxy = await startGuardedProxy(join(folder, socketName));
    const command = chromiumCommand(binary, folder, isolated);
    const running = await startEngine(command, { memoryBytes, processes, ...limits });
    const cleanUp = async () => {
      running.kill();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      return new ChromiumWorker(await connect(running), running, proxy, cleanUp);
    } catch (cause) {
      await cleanUp();
      throw cause;
    }
  }

  get healthy(): boolean {
    const { outOfMemory } = this.#running;
    return !this.#closed && this.#browser.connected && !this.#isCutOff && !outOfMemory;
  }

  /** True where it, or a part of it, was killed for using more memory than it may. */
  get outOfMemory(): boolean {
    return this.#running.outOfMemory;
  }

  /** An empty page that nothing has used, in a context of its own. */
  async page(): Promise<Page> {
    const page = await this.#nextPage;
    this.#context = page.browserContext();
    return page;
  }

  /** Ends every exchange with the outside for good; this browser serves no further job. */
  async cutOff(): Promise<void> {
    this.#isCutOff = true;
    await this.#proxy.close();
  }

  /** Makes the next job's page and throws the last one's context away, both in the background. */
  async reset(): Promise<void> {
    const used = this.#context;
    this.#context = undefined;
    this.#nextPage = this.#prepare();
    // A context that cannot be thrown away is a browser that cannot be trusted.
    used?.close().catch(() => this.close());
  }

  close(): Promise<void> {
    this.#closed ??= this.#cleanUp();
    return this.#closed;
  }

  #prepare(): Promise<Page> {
    const page = makePage(this.#browser);
    // Whoever takes the page gets the error; until then it is nobody's.
    page.catch(() => {});
    return page;
  }
}

/** A folder for the socket: this process's own, or where that has too long a name, a temporary one. */
async function makeFolder(): Promise<string> {
  const folder = processPath("slots", `chromium-${randomBytes(3).toString("hex")}`);
  if (join(folder, socketName).length > maxSocketPath) {
    return mkdtemp(join(tmpdir(), "mediamill-chromium-"));
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** How the browser `binary` is started on the slot folder `folder`, and what it sees. */
export function chromiumCommand(binary: string, folder: string, isolated: boolean): SpawnRequest {
  const relay = join(import.meta.dirname, "relay.py");
  const socket = join(isolated ? insideFolder : folder, socketName);
  // Inside the sandbox /tmp is its own memory.
  const own = [`--user-data-dir=${isolated ? "/tmp" : folder}/profile`];
  // Chromium's own sandbox stays on inside ours; where ours cannot be made, neither can its.
  if (!isolated && process.platform === "linux") own.push("--no-sandbox");
  const fontCache = "/var/cache/fontconfig";
  return {
    command: "python3",
    args: [relay, socket, binary, ...flags, ...own],
    folder,
    readable: [relay, ...[fontCache].filter((path) => existsSync(path))],
    nestsSandboxes: true,
    extraPipes: 2,
  };
}

async function connect(running: RunningProcess): Promise<Browser> {
  const { child } = running;
  // Loaded here, for the web process reads the catalogue and has no use for it.
  const { default: puppeteer } = await import("puppeteer");
  let stderrTail = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-4096);
  });
  child.stdout.resume();
  child.stdin.on("error", () => {});
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  const fail = (cause?: unknown) =>
    reject(new EngineError({ engine: "chromium", stderrTail, cause }));
  child.on("error", fail);
  child.on("close", () => fail());
  const timer = setTimeout(fail, startTimeoutMs);
  const transport = new PipeTransport(child, () => running.kill());
  try {
    return await Promise.race([puppeteer.connect({ transport, defaultViewport: null }), ended]);
  } finally {
    clearTimeout(timer);
  }
}

async function makePage(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext({ downloadBehavior: { policy: "deny" } });
  const page = await context.newPage();
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => {}));
  await page.setBypassServiceWorker(true);
  return page;
}
