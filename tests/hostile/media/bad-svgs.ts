import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";

/** Bad inputs: SVG files with external references or of unlimited size. */

const svg = (content: string, prolog = "") =>
  Buffer.from(
    `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="40" height="30">${content}<rect width="9" height="9"/></svg>`,
  );

/** The "billion laughs" attack: each entity is ten times the previous one, 10⁹ letters in total. */
const laughs = Array.from({ length: 9 }, (_, level) =>
  level === 0 ? `<!ENTITY e0 "laughter">` : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join("");

const svgRow = (id: string, build: (canary: Canary) => Buffer): BadInput => ({
  id,
  type: "svg",
  build,
  expected: ["completes", "corrupt", "too_complex"],
  maxEngineBytes: 1.5 * 2 ** 30,
});

export const badSvgs: readonly BadInput[] = [
  svgRow("svg with an entity bomb", () => svg("<text>&e8;</text>", `<!DOCTYPE svg [${laughs}]>`)),
  svgRow("svg with a file as an entity", ({ secretFile }) =>
    svg("<text>&x;</text>", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secretFile}">]>`),
  ),
  svgRow("svg with a URL as an entity", ({ url }) =>
    svg("<text>&x;</text>", `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url}/a">]>`),
  ),
  svgRow("svg with an external DTD", ({ url }) => svg("", `<!DOCTYPE svg SYSTEM "${url}/a.dtd">`)),
  svgRow("svg that includes a file", ({ secretFile }) =>
    svg(`<text><xi:include parse="text" href="file://${secretFile}"/></text>`),
  ),
  svgRow("svg with images from URLs and files", ({ url, folder }) =>
    svg(
      `<image href="${url}/a.png" width="9" height="9"/><image xlink:href="file://${folder}/secret.png" width="9" height="9"/><image href="../other-job/in/secret.png" width="9" height="9"/><use href="${url}/a.svg#a"/><style>@import "${url}/a.css"; rect { fill: url(${url}/a.svg#b) }</style><script>fetch("${url}/c")</script>`,
    ),
  ),
  svgRow("svg of 10⁹ × 10⁹ pixels", () =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000000000" height="1000000000"/>`),
  ),
];
