import { expect, it } from "vitest";
import { describeBrowser } from "#components/settings/describe-browser.ts";

const prefix = "Mozilla/5.0";

it.each([
  [`${prefix} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
  [`${prefix} (Windows NT 10.0) Chrome/150.0.0.0 Safari/537.36 Edg/150.0`, "Edge on Windows"],
  [`${prefix} (Windows NT 10.0) Chrome/150.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${prefix} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1`, "Safari on macOS"],
  [
    `${prefix} (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/150.0 Safari/604.1`,
    "Chrome on iOS",
  ],
  [`${prefix} (Linux; Android 15) Chrome/150.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["curl/8.5.0", "curl"],
  ["<script>", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is %s", (userAgent, name) => {
  expect(describeBrowser(userAgent)).toBe(name);
});
