import { afterAll, expect, it, vi } from "vitest";
import { readForm } from "#lib/gotenberg/form/read-form.ts";
import { createId } from "#lib/ids.ts";
import { storage } from "#lib/storage/index.ts";

const folder = `inputs/${createId("job")}`;
const account = { id: createId("acc"), plan: "free" } as const;
afterAll(() => storage().removeAll(folder));

const part = (content: string, attributes: string) =>
  `--x\r\nContent-Disposition: form-data; ${attributes}\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n`;
const file = (content: string) => part(content, 'name="files"; filename="a.bin"');
const end = "--x--\r\n";

/** Reads a form whose body arrives in these chunks. */
function read(...chunks: readonly string[]) {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half" };
  const request = new Request("http://localhost/", init);
  const keyOf = (number: number) => `${folder}/${number}`;
  return readForm(request, { account, keyOf, maxBytes: undefined });
}

/** Up to 64 KiB, a file is stored from memory. */
const lengths = [3, 3_000_000];
const tooLong = "a".repeat(2 ** 20 + 1);

it.each(lengths)("a file of %i bytes and a text are read", async (length) => {
  const text = '--x\r\nContent-Disposition: form-data; name="merge"\r\n\r\ntrue\r\n';
  const form = await read(
    `${file("a".repeat(length))}${part("", 'name="embeds"; filename=""')}${text}${end}`,
  );
  expect(form.files.get("a.bin")?.stored.bytes).toBe(length);
  expect(Object.fromEntries(form.values)).toEqual({ embeds: [""], merge: ["true"] });
});

it.each(lengths)(
  "storage that fails for a file of %i bytes ends the request with its error",
  async (length) => {
    const failed = new Error("no space left on the device");
    const store = storage().write.bind(storage());
    const inspect = () => {
      throw failed;
    };
    const write = vi
      .spyOn(storage(), "write")
      .mockImplementation((key, source) => store(key, source, inspect));
    try {
      const body = `${file("a".repeat(length))}${end}`;
      // The storage fails while the file arrives.
      await expect(read(...(body.match(/.{1,65536}/gs) ?? []))).rejects.toBe(failed);
    } finally {
      write.mockRestore();
    }
  },
);

it.each(lengths)("a form that ends within a file of %i bytes is malformed", async (length) => {
  await expect(read(file("a".repeat(length)).slice(0, -2))).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^Malformed body/),
  });
});

it.each([
  ["a field", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
  ["a part without a file name", part("", 'name="a"; filename=""').slice(0, -2)],
])("%s that is too long ends the request, also if a file comes with it", async (_what, head) => {
  await expect(
    read(`${head}${tooLong}\r\n${file("abc").slice(0, -2)}`, `\r\n${end}`),
  ).rejects.toMatchObject({
    status: 413,
  });
});
