import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { sandboxFolder } from "../sandbox/bubblewrap/arguments.ts";
import type { SpawnRequest } from "../sandbox/spawn.ts";

/** Which Chromium is started, with which flags, and what it can access. */

/** The names of the browser, the preferred one first. The headless shell needs a fifth of the full browser's time per page. */
const binaries = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/lib/chromium/chromium",
  "/usr/lib/chromium-browser/chromium-browser",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The socket of the guarded proxy in the slot folder. */
export const socketName = "proxy.sock";

const flags = [
  "--headless",
  "--remote-debugging-pipe",
  // Requests to loopback bypass the proxy without the first flag. The next three close other
  // bypasses.
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

/** The path of the Chromium that is installed on this machine. */
export function findChromium(): string | undefined {
  return binaries.find((path) => existsSync(path));
}

/** The command of the browser `binary` on the slot folder `folder`, and what it can access. */
export function chromiumCommand(binary: string, folder: string, level: SandboxLevel): SpawnRequest {
  const relay = join(import.meta.dirname, "relay.py");
  const inSandbox = level === "full" ? sandboxFolder : folder;
  // At the level `full`, /tmp is in memory.
  const options = [`--user-data-dir=${level === "full" ? "/tmp" : folder}/profile`];
  // The relay adds another one, which counts instead. Without it, every address leads to the proxy.
  options.push("--proxy-server=http://127.0.0.1:9");
  // Chromium's own sandbox remains enabled in bubblewrap. Without namespaces, it cannot start either.
  if (level !== "full" && process.platform === "linux") options.push("--no-sandbox");
  // The zygote and a separate GPU process read entries of /proc that only the first process has there.
  if (level === "strict") options.push("--no-zygote", "--in-process-gpu");
  return {
    command: binary,
    args: [...flags, ...options],
    folder,
    readable: [relay],
    createsUserNamespaces: true,
    usesLoopback: true,
    connection: {
      family: "ipv4",
      socket: join(folder, socketName),
      relay: ["python3", relay, join(inSandbox, socketName)],
    },
    extraPipes: 2,
  };
}
