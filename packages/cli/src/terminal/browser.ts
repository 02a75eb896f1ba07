import { spawn } from "node:child_process";

/** Opens a URL in the user's browser. Does nothing where there is none, such as over SSH. */
export function openInBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY, CI, BROWSER } = process.env;
  const hasScreen = process.platform !== "linux" || DISPLAY || WAYLAND_DISPLAY;
  if (CI || BROWSER === "none" || !(hasScreen || BROWSER)) return;
  const [command, args] = openCommand(url);
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  // The URL is printed too.
  child.on("error", () => {});
  child.unref();
}

function openCommand(url: string): [command: string, args: string[]] {
  const { BROWSER } = process.env;
  if (BROWSER) return [BROWSER, [url]];
  if (process.platform === "darwin") return ["open", [url]];
  // Not by `cmd /c start`, whose shell gives `&` a meaning.
  if (process.platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
}
