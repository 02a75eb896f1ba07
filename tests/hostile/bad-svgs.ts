import type { BadInput } from "./bad-input.ts";
import type { Bait } from "./canary.ts";

/** SVG files that reach out, or grow without measure. */

const svg = (content: string, prolog = "") =>
  Buffer.from(
    `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="40" height="30">${content}<rect width="9" height="9"/></svg>`,
  );

/** Each entity is ten of the one before: 10⁹ letters in all. */
const laughs = Array.from({ length: 9 }, (_, level) =>
  level === 0 ? `<!ENTITY e0 "laughter">` : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join("");

const drawing = (id: string, build: (bait: Bait) => Buffer): BadInput => ({
  ...{ id, type: "svg", build },
  answers: ["completes", "corrupt", "too_complex"],
  mostBytes: 1.5 * 2 ** 30,
});

export const badDrawings: readonly BadInput[] = [
  drawing("svg whose entities are a bomb", () =>
    svg("<text>&e8;</text>", `<!DOCTYPE svg [${laughs}]>`),
  ),
  drawing("svg with a file as an entity", ({ secret }) =>
    svg("<text>&x;</text>", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secret}">]>`),
  ),
  drawing("svg with an address as an entity", ({ address }) =>
    svg("<text>&x;</text>", `<!DOCTYPE svg [<!ENTITY x SYSTEM "${address}/a">]>`),
  ),
  drawing("svg with a definition from elsewhere", ({ address }) =>
    svg("", `<!DOCTYPE svg SYSTEM "${address}/a.dtd">`),
  ),
  drawing("svg that includes a file", ({ secret }) =>
    svg(`<text><xi:include parse="text" href="file://${secret}"/></text>`),
  ),
  drawing("svg with images of addresses and files", ({ address, folder }) =>
    svg(
      `<image href="${address}/a.png" width="9" height="9"/><image xlink:href="file://${folder}/secret.png" width="9" height="9"/><image href="../neighbour/in/secret.png" width="9" height="9"/><use href="${address}/a.svg#a"/><style>@import "${address}/a.css"; rect { fill: url(${address}/a.svg#b) }</style><script>fetch("${address}/c")</script>`,
    ),
  ),
  drawing("svg of 10⁹ pixels a side", () =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000000000" height="1000000000"/>`),
  ),
];
