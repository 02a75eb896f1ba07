import { expect, test } from "vitest";
import { listAttached } from "#lib/formats/mail/inline-pictures.ts";
import { makeMailPage } from "#lib/formats/mail/mail-page.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function makeMail(html: string, ...pictures: { id: string; mime?: string; content?: Buffer }[]) {
  const attachments = pictures.map(({ id, mime = "image/png", content = png }) => ({
    name: id,
    mime,
    contentId: id,
    content,
  }));
  const header = { from: "a@example.com", to: "", cc: "", date: "", subject: "Pictures" };
  return { ...header, text: undefined, html, attachments };
}

const uri = `data:image/png;base64,${png.toString("base64")}`;

test.each([
  ['<img src="cid:a">', `src="${uri}"`],
  ["<img src='CID:a'>", `src="${uri}"`],
  ["<img src=cid:a width=10>", `src="${uri}"`],
  ['<td background="cid:a">', `background="${uri}"`],
  ['<p style="background-image:url(cid:a)">x', uri],
  ["<p style=\"background:url('cid:a')\">x", uri],
  ['<p style="background:url(&quot;cid:a&quot;)">x', uri],
  ["<style>p { background: url(cid:a) }</style><p>x", `url("${uri}")`],
])("%s shows a picture, which is not listed", (html, shown) => {
  for (const mime of ["image/png", "application/octet-stream", "image/x-png"]) {
    const mail = makeMail(`<body><table><tr>${html}</body>`, { id: "a", mime });
    expect(makeMailPage(mail, false)).toContain(shown);
    expect(listAttached(mail)).toEqual([]);
  }
});

test.each([
  ['<img src="cid:a0">', { id: "a" }],
  ['<a href="cid:a">picture</a>', { id: "a" }],
  ['<img src="cid:a">', { id: "a", mime: "image/tiff", content: Buffer.from("II*\0") }],
  ['<img src="cid:a">', { id: "a", mime: "application/pdf" }],
  ['<img src="cid:a">', { id: "a", content: Buffer.concat([png, Buffer.alloc(20e6)]) }],
])("a part that %s does not show is listed", (html, picture) => {
  const mail = makeMail(html, picture);
  expect(makeMailPage(mail, false)).not.toContain("base64");
  expect(listAttached(mail)).toHaveLength(1);
});
