import { makeOleFile } from "#tests/samples/office/ole-file.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import type { BadInput } from "../bad-input.ts";

/** Bad inputs: e-mails that are damaged, nested without end, or try to load or run something. */

const head = "From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n";

const eml = (id: string, expected: BadInput["expected"], build: BadInput["build"]): BadInput => ({
  id,
  type: "eml",
  expected,
  build,
});

/** An e-mail of `count` parts, each of which contains the next. */
function nest(count: number, type: (index: number) => string): Buffer {
  const parts = Array.from({ length: count }, (_, index) => `Content-Type: ${type(index)}\r\n\r\n`);
  const separated = parts.map((part, index) => (index === 0 ? part : `--b${index - 1}\r\n${part}`));
  return Buffer.from(`${head}${separated.join("")}end`);
}

const html = (body: string) =>
  Buffer.from(`${head}Content-Type: text/html; charset=utf-8\r\n\r\n<p>still</p>${body}`);

export const badMail: readonly BadInput[] = [
  eml("an e-mail of 5,000 nested parts", ["too_complex"], () =>
    nest(5000, (index) => `multipart/mixed; boundary=b${index}`),
  ),
  eml("an e-mail of 5,000 nested e-mails", ["completes", "too_complex"], () =>
    nest(5000, () => "message/rfc822"),
  ),
  eml("an e-mail with a header of 3 MB", ["too_complex"], () =>
    Buffer.from(`${head}X-Long: ${"a".repeat(3e6)}\r\n\r\nbody`),
  ),
  eml("an e-mail of 2,000 attachments", ["too_complex"], () => {
    const part = "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\na\r\n";
    return Buffer.from(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(2000)}--b--`,
    );
  }),
  eml("an e-mail whose attachment has a path as its name", ["completes"], () => {
    const part = `--b\r\nContent-Type: text/plain\r\n\r\nstill\r\n--b\r\nContent-Disposition: attachment; filename="../../../etc/cron.d/x"\r\n\r\na\r\n`;
    return Buffer.from(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}--b--`);
  }),
  eml("an e-mail that loads from loopback and the disk", ["completes"], ({ url, secretFile }) =>
    html(
      `<img src="${url}/a.png"><link rel=stylesheet href="${url}/a.css"><iframe src="file://${secretFile}"></iframe><object data="${url}/o"></object><style>@import "${url}/i.css"; p { background: url(${url}/b.png) }</style>`,
    ),
  ),
  eml("an e-mail whose script runs and submits a form", ["completes"], ({ url }) =>
    html(
      `<form id=f action="${url}/form"><input name=a></form><script>f.submit(); fetch("${url}/s"); while (true);</script><meta http-equiv=refresh content="0;url=${url}/r"><svg onload="fetch('${url}/l')"></svg>`,
    ),
  ),
  eml("an e-mail of 5,000 nested elements", ["completes", "too_complex", "engine_crashed"], () =>
    html("<div>".repeat(5000)),
  ),
  eml("an e-mail of 40,000 nested elements", ["too_complex"], () =>
    html("<div><b>".repeat(20_000)),
  ),
  eml("an e-mail in an encoding that does not exist", ["completes"], () =>
    Buffer.from(`${head}Content-Type: text/plain; charset=x-none\r\n\r\nGr\xfc\xdfe`, "latin1"),
  ),
  {
    id: "an MSG file without content",
    type: "msg",
    expected: ["corrupt", "completes"],
    build: () => makeSparseOleFile(["__properties_version1.0"]),
  },
  {
    id: "an MSG file whose directory is a loop",
    type: "msg",
    expected: ["corrupt", "completes"],
    build: () => makeSparseOleFile(["__properties_version1.0", "B"], { loop: true }),
  },
  {
    id: "a truncated MSG file",
    type: "msg",
    expected: ["corrupt", "completes"],
    build: () => makeOleFile({ "__properties_version1.0": Buffer.alloc(64, 7) }).subarray(0, 3000),
  },
];
