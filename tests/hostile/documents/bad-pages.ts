import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";

/** Bad inputs: HTML pages that connect to servers, never finish, or use too many resources. */

/** A page that does something forbidden. It must render anyway, with the word `still`. */
export interface BadPage {
  readonly id: string;
  /** `url` is the origin of the canary's server on loopback. */
  readonly html: (url: string) => string;
}

const script = (code: string) => `<p>still</p><script>${code}</script>`;

/** Every way in which a page can connect to a server, here to one that it must not reach. */
export const pagesWithExternalReferences: readonly BadPage[] = [
  { id: "img", html: (url) => `<p>still</p><img src="${url}/a.png">` },
  { id: "iframe", html: (url) => `<p>still</p><iframe src="${url}/a"></iframe>` },
  {
    id: "object and embed",
    html: (a) => `<p>still</p><object data="${a}/a"></object><embed src="${a}/b">`,
  },
  {
    id: "css",
    html: (a) =>
      `<p>still</p><link rel=stylesheet href="${a}/a.css"><style>@import "${a}/b.css"; p { background: url(${a}/c.png) } @font-face { font-family: x; src: url(${a}/d.woff) } p { font-family: x }</style>`,
  },
  { id: "script", html: (url) => `<p>still</p><script src="${url}/a.js"></script>` },
  {
    id: "prefetch",
    html: (a) =>
      `<link rel=dns-prefetch href="${a}"><link rel=preconnect href="${a}"><link rel=prefetch href="${a}/a"><link rel=preload as=image href="${a}/b"><p>still</p>`,
  },
  {
    id: "fetch",
    html: (url) => script(`fetch("${url}/a", { mode: "no-cors" }).catch(() => {})`),
  },
  {
    id: "XMLHttpRequest",
    html: (url) =>
      script(`const x = new XMLHttpRequest(); x.open("POST", "${url}/a"); x.send("secret")`),
  },
  {
    id: "WebSocket",
    html: (url) => script(`new WebSocket("${url.replace("http", "ws")}/a")`),
  },
  { id: "EventSource", html: (url) => script(`new EventSource("${url}/a")`) },
  { id: "beacon", html: (url) => script(`navigator.sendBeacon("${url}/a", "secret")`) },
  {
    id: "worker",
    html: (a) =>
      script(`new Worker(URL.createObjectURL(new Blob(["fetch('${a}/a').catch(() => {})"])))`),
  },
  {
    id: "service worker",
    html: (a) => script(`navigator.serviceWorker?.register("${a}/a.js").catch(() => {})`),
  },
  {
    id: "WebRTC",
    html: (a) =>
      script(
        `const r = new RTCPeerConnection({ iceServers: [{ urls: "${a.replace("http://", "stun:")}" }] }); r.createDataChannel("x"); r.createOffer().then((o) => r.setLocalDescription(o))`,
      ),
  },
  {
    id: "meta refresh",
    html: (a) => `<meta http-equiv=refresh content="0;url=${a}/a"><p>still</p>`,
  },
  { id: "location", html: (url) => script(`location.href = "${url}/a"`) },
  {
    id: "form",
    html: (url) =>
      `<p>still</p><form id=f method=post action="${url}/a"></form><script>f.submit()</script>`,
  },
  {
    id: "audio and video",
    html: (a) =>
      `<p>still</p><video src="${a}/a.mp4" autoplay></video><audio src="${a}/b.mp3" autoplay></audio>`,
  },
  {
    id: "window.open",
    html: (url) => script(`for (let i = 0; i < 1000; i++) window.open("${url}/a")`),
  },
  {
    id: "download",
    html: (a) => `<p>still</p><a id=d download href="${a}/a">x</a><script>d.click()</script>`,
  },
  {
    id: "other schemes",
    html: () =>
      `<p>still</p><img src="ftp://127.0.0.1/a"><iframe src="chrome://version"></iframe><iframe src="view-source:http://127.0.0.1/"></iframe>`,
  },
];

/** Pages that wait for the user, never finish, or break the renderer's scripts. */
export const blockingPages: readonly BadPage[] = [
  { id: "alert, confirm, prompt", html: () => script("alert(1); confirm(2); prompt(3)") },
  { id: "print", html: () => script("print()") },
  { id: "beforeunload", html: () => script("onbeforeunload = () => 'stay'; location.href = '/b'") },
  {
    id: "a thousand timers",
    html: () => script("for (let i = 0; i < 1000; i++) setInterval(() => i, 0)"),
  },
  {
    id: "a data: download",
    html: () => script("location.href = 'data:application/octet-stream,x'"),
  },
  { id: "an error in a script", html: () => script("throw new Error('x')") },
  {
    id: "tampered built-ins",
    html: () =>
      script(
        "Array.prototype.push = Promise.race = window.setTimeout = null; Object.defineProperty(document, 'fonts', { value: { ready: new Promise(() => {}) } })",
      ),
  },
  {
    id: "@page of a kilometer",
    html: () => `<style>@page { size: 1km 1km; margin: 40cm }</style><p>still</p>`,
  },
];

/** Rows that wait until the time to load or to become idle is over. */
const waiting: ReadonlySet<string> = new Set(["worker", "a page that never becomes idle"]);

const rowOf =
  (...expected: BadInput["expected"]) =>
  (
    id: string,
    html: string | ((canary: Canary) => string),
    more: Partial<BadInput> = {},
  ): BadInput => ({
    id,
    type: "html",
    expected,
    timeoutSeconds: 240,
    isCostly: waiting.has(id),
    build: (canary) => Buffer.from(typeof html === "string" ? html : html(canary)),
    ...more,
  });

const fine = rowOf("completes");
const endless = (id: string, code: string) =>
  rowOf("timed_out")(id, script(code), { isSlow: true });

/**
 * A gigabyte more than Chromium may use: where the kernel does not limit it, its memory is measured four times per
 * second, and a browser that replaces it starts before it has ended.
 */
const bounded = { maxEngineBytes: 3 * 2 ** 30 };

/** All pages, with the canary's URL and file. */
export const badPages: readonly BadInput[] = [
  ...[...pagesWithExternalReferences, ...blockingPages].map(({ id, html }) =>
    fine(id, ({ url }) => html(url)),
  ),
  fine("loopback by IPv6 and by other notations", ({ port }) =>
    ["[::1]", "localhost", "localhost.", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]
      .map(
        (host) =>
          `<img src="http://${host}:${port}/a"><iframe src="http://${host}:${port}/b"></iframe>`,
      )
      .join(`<p>still</p>`),
  ),
  fine("files", ({ secretFile }) => {
    const url = `file://${secretFile}`;
    return `<p>still</p><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><link rel=stylesheet href="${url}"><meta http-equiv=refresh content="0;url=${url}"><script>fetch("${url}").then((r) => r.text()).then((t) => document.write(t), () => {}); location.href = "${url}"; open("${url}")</script><iframe src="file:///usr/share/common-licenses/BSD"></iframe><iframe src="../other-job/in/secret.txt"></iframe>`;
  }),
  fine(
    "a page from a file",
    ({ folder }) => `<base href="file://${folder}/"><p>still</p><iframe src="secret.txt"></iframe>`,
  ),
  rowOf("out_of_memory")(
    "5 GB",
    script("const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e8).fill(1))"),
    bounded,
  ),
  rowOf(
    "out_of_memory",
    "timed_out",
    "engine_crashed",
    "too_complex",
  )(
    "a canvas of 10⁹ pixels",
    `<canvas id=c width=32000 height=32000></canvas><p>still</p><script>c.getContext("2d").fillRect(0, 0, 32000, 32000)</script>`,
    { ...bounded, expected: ["completes", "out_of_memory", "timed_out"] },
  ),
  fine("a height of 10⁶ pixels", `<p>still</p><div style="height:1000000px">x</div>`, {
    ...bounded,
    expectedFor: { "document/html-to-image": ["too_complex"] },
  }),
  rowOf("too_complex")("a height of 2 × 10⁷ pixels", `<div style="height:20000000px">x</div>`),
  rowOf("completes", "too_complex", "timed_out")(
    "10,000 nested elements",
    `still${"<div>".repeat(10_000)}`,
    bounded,
  ),
  endless("an endless loop", "for (;;);"),
  endless("a loop of dialogs", "for (;;) alert(1)"),
  endless("a loop of microtasks", "(async () => { for (;;) await 0 })()"),
  fine(
    "a page that never becomes idle",
    script("onload = () => setInterval(() => fetch('/' + Math.random()).catch(() => {}), 5)"),
  ),
];
