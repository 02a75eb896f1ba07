import type { JobErrorCode } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { makeCompoundFile } from "./ole.ts";
import { makeZip } from "./zip.ts";

/** The rows of the catalogue of bad inputs for HTML and office documents. */

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

export interface BadOfficeFile {
  readonly id: string;
  readonly type: MediaTypeId;
  readonly make: (samples: ReadonlyMap<MediaTypeId, Buffer>) => Buffer;
  readonly code: JobErrorCode;
}

const half = (bytes: Buffer | undefined) => bytes?.subarray(0, bytes.length / 2) ?? Buffer.alloc(0);

const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">`;

/** A document under a password as ODF packages are: its parts encrypted, its manifest not. */
function encryptedOpenDocument(): Buffer {
  const mime = "application/vnd.oasis.opendocument.text";
  const key = `<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="AAAAAAAAAAAAAAAAAAAAAAAAAAA="><manifest:algorithm manifest:algorithm-name="Blowfish CFB" manifest:initialisation-vector="AAAAAAAAAAA="/><manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:iteration-count="1024" manifest:salt="AAAAAAAAAAAAAAAAAAAAAA=="/></manifest:encryption-data>`;
  return makeZip([
    { name: "mimetype", content: mime },
    { name: "content.xml", content: Buffer.alloc(64, 7) },
    {
      name: "META-INF/manifest.xml",
      content: `${manifest}<manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml" manifest:size="100">${key}</manifest:file-entry></manifest:manifest>`,
    },
  ]);
}

const database = makeZip([
  { name: "mimetype", content: "application/vnd.oasis.opendocument.base" },
  { name: "content.xml", content: "<x/>" },
  { name: "META-INF/manifest.xml", content: `${manifest}</manifest:manifest>` },
]);

const page = "<html><body><img src=http://127.0.0.1/a.png>x</body></html>";

export const badOfficeFiles: readonly BadOfficeFile[] = [
  { id: "HTML named .docx", type: "docx", make: () => Buffer.from(page), code: "corrupt" },
  { id: "HTML named .doc", type: "doc", make: () => Buffer.from(page), code: "corrupt" },
  { id: "HTML named .xls", type: "xls", make: () => Buffer.from(page), code: "corrupt" },
  { id: "HTML named .rtf", type: "rtf", make: () => Buffer.from(page), code: "corrupt" },
  { id: "a database named .docx", type: "docx", make: () => database, code: "corrupt" },
  { id: "a database named .odt", type: "odt", make: () => database, code: "corrupt" },
  {
    id: "a plain ZIP named .xlsx",
    type: "xlsx",
    make: () => makeZip([{ name: "a.txt", content: "a" }]),
    code: "corrupt",
  },
  {
    id: "a truncated DOCX",
    type: "docx",
    make: (samples) => half(samples.get("docx")),
    code: "corrupt",
  },
  {
    id: "a truncated DOC",
    type: "doc",
    make: (samples) => half(samples.get("doc")),
    code: "corrupt",
  },
  {
    id: "random bytes named .ppt",
    type: "ppt",
    make: () => Buffer.alloc(5000, 0xa5),
    code: "corrupt",
  },
  {
    id: "a name that leads out",
    type: "odt",
    make: () => makeZip([{ name: "../../x", content: "x" }]),
    code: "corrupt",
  },
  {
    id: "parts of 2 GB",
    type: "docx",
    make: () => makeZip([{ name: "word/document.xml", content: "x", claimedSize: 2e9 }]),
    code: "too_complex",
  },
  {
    id: "a thousandfold",
    type: "docx",
    make: () =>
      makeZip([{ name: "word/document.xml", content: "x".repeat(20_000), claimedSize: 2e7 }]),
    code: "too_complex",
  },
  {
    id: "50,000 parts",
    type: "xlsx",
    make: () =>
      makeZip(Array.from({ length: 50_000 }, (_, i) => ({ name: `xl/${i}`, content: "" }))),
    code: "too_complex",
  },
  {
    id: "a password on OOXML",
    type: "docx",
    make: () => makeCompoundFile(["EncryptionInfo", "EncryptedPackage"]),
    code: "encrypted",
  },
  { id: "a password on ODF", type: "odt", make: encryptedOpenDocument, code: "encrypted" },
  { id: "text of 21 MB", type: "txt", make: () => Buffer.alloc(21e6, "a"), code: "too_complex" },
];
