import { expect, it } from "vitest";
import { z } from "zod";
import { locate } from "#lib/api/definition/locate-field.ts";
import {
  describeSchema,
  inputSchema,
  reportInput,
  schemaMessage,
  showName,
} from "#lib/api/http/schema-messages.ts";

const schema = z.strictObject({
  text: z.string().min(1).max(500),
  sigma: z.number().min(0.1).max(10).default(1),
  count: z.number().int().default(1),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/, "must be a hex color such as #ffffff")
    .default("#ffffff"),
  whole: z.boolean("Either all of it or nothing.").default(true),
  fit: z.enum(["cover", "contain", "jpeg"]).default("cover"),
  labels: z.record(z.string(), z.string()).default({}),
  groups: z.record(z.string(), z.strictObject({ name: z.string() })).default({}),
  marks: z
    .array(z.strictObject({ page: z.int().min(1), at: z.string().regex(/^top$/, "must be top") }))
    .optional(),
});

const allowed =
  "Allowed parameters: `text`, `sigma`, `count`, `color`, `whole`, `fit`, `labels`, `groups`, `marks`. Other fields: `webhook_url`.";

it.each([
  [{}, "`text` is required: text of 1 to 500 characters."],
  [{ text: "" }, "`text` must be text of 1 to 500 characters."],
  [{ text: "a", sigma: 11 }, "`sigma` must be a number from 0.1 to 10."],
  [{ text: "a", sigma: null }, "`sigma` must be a number from 0.1 to 10."],
  [{ text: "a", count: 1.5 }, "`count` must be an integer."],
  [{ text: "a", color: "red" }, "`color` must be a hex color such as #ffffff."],
  [{ text: "a", whole: 1 }, "Either all of it or nothing."],
  [
    { text: "a", marks: [{ page: 1, at: "top" }, { page: 0 }] },
    "`marks[1].page` must be an integer of at least 1.",
  ],
  [{ text: "a", marks: [{ at: "top" }] }, "`marks[0].page` is required: an integer of at least 1."],
  [
    { text: "a", marks: [{ page: 1, at: "top", x: 1 }] },
    "`marks[0].x` is not a parameter. Allowed parameters: `page`, `at`.",
  ],
  [{ text: "a", marks: [{ page: 1, at: "left" }] }, "`marks[0].at` must be top."],
  [
    { text: "a", marks: [{ pgae: 1, at: "top", page: 1 }] },
    "`marks[0].pgae` is not a parameter. Did you mean `page`? Allowed parameters: `page`, `at`.",
  ],
  [
    { text: "a", marks: [{ page: 1, at: "top", "<b>": 1 }] },
    "A field is not a parameter. Allowed parameters: `page`, `at`.",
  ],
  [{ text: "a", groups: { mine: { name: "a", size: 1 } } }, "`groups` is not valid."],
  [{ text: "a", labels: { "<b>": 1 } }, "`labels` must be an object."],
  [{ text: "a", radius: 1 }, `\`radius\` is not a parameter. ${allowed}`],
  [{ text: "a", sgima: 1 }, `\`sgima\` is not a parameter. Did you mean \`sigma\`? ${allowed}`],
  [
    { text: "a", webhookUrl: "x" },
    `\`webhookUrl\` is not a parameter. Did you mean \`webhook_url\`? ${allowed}`,
  ],
  [
    { text: "a", "labels[order]": "1" },
    "`labels[order]` is not a parameter. Send `labels` as one field with JSON.",
  ],
  [
    { text: "a", fit: "contian" },
    "`fit` has no such value. Did you mean `contain`? It must be one of cover, contain, jpeg.",
  ],
  [
    { text: "a", fit: "JPG" },
    "`fit` has no such value. Did you mean `jpeg`? It must be one of cover, contain, jpeg.",
  ],
  [{ text: "a", fit: "zoom" }, "`fit` must be one of cover, contain, jpeg."],
])("%j: %s", (given, message) => {
  const { error } = schema.safeParse(given, reportInput);
  expect(error && schemaMessage(error, inputSchema(schema), ["webhook_url"])).toBe(message);
});

it.each([
  ["or `height` is required", "`width` or `height` is required."],
  ["must not be set", "`width` must not be set."],
  [undefined, "`width` must be an even integer from 2 to 8."],
])("a check of several fields has its own message: %s", (error, message) => {
  const sizes = z
    .strictObject({ width: z.number().int().min(2).max(8).multipleOf(2).optional() })
    .refine(() => false, { path: ["width"], ...(error ? { error } : {}) });
  const parsed = sizes.safeParse({ width: 2 }, reportInput);
  expect(parsed.error && schemaMessage(parsed.error, inputSchema(sizes))).toBe(message);
});

it("a name that all objects have is no field of a schema", () => {
  const sizes = inputSchema(z.strictObject({ sizes: z.strictObject({}) }));
  const located = locate(["sizes", "constructor"], sizes);
  expect(located).toMatchObject({ name: "sizes", isWhole: false });
});

it("a request that takes no parameters says so", () => {
  const empty = z.strictObject({});
  const { error } = empty.safeParse({ radius: 1 }, reportInput);
  expect(error && schemaMessage(error, inputSchema(empty))).toBe(
    "`radius` is not a parameter. There are none.",
  );
  expect(error && schemaMessage(error, inputSchema(empty), ["input"])).toBe(
    "`radius` is not a parameter. There are none. Other fields: `input`.",
  );
});

it("suggests the input for what other services call it, not a webhook", () => {
  const empty = z.strictObject({});
  const { error } = empty.safeParse({ url: "https://example.com/a.jpg" }, reportInput);
  const suggestion = (fields: string[]) =>
    error && schemaMessage(error, inputSchema(empty), fields).match(/Did you mean (.*?)\?/)?.[1];
  expect(suggestion(["input", "webhook_url"])).toBe("`input`");
  expect(suggestion(["inputs", "webhook_url"])).toBe("`inputs`");
  expect(suggestion(["webhook_url"])).toBe("`webhook_url`");
});

it.each([
  ["<script>", "A field"],
  ["a b", "A field"],
  ["x".repeat(100), "A field"],
  ["__proto__", "`__proto__`"],
  ["page_size", "`page_size`"],
  ["metadata[order]", "`metadata[order]`"],
  ["metadata[<b>]", "A field"],
])("a name from a request is shown only if it looks like one: %s", (name, shown) => {
  expect(showName(name)).toBe(shown);
});

it.each([
  [z.enum(["a", "b"]), "one of a, b"],
  [z.union([z.boolean(), z.number().min(1)]), "true or false or a number of at least 1"],
  [z.string().meta({ format: "uri" }), "a complete http or https URL"],
  [z.string().min(1), "text that is not empty"],
  [z.string().max(5), "text of at most 5 characters"],
  [z.number().int().min(2).max(8).multipleOf(2), "an even integer from 2 to 8"],
  [z.union([z.number(), z.string(), z.array(z.string())]), "a number, text or a list"],
  [z.array(z.string()), "a list"],
])("describes the allowed values: %#", (given, description) => {
  expect(describeSchema(inputSchema(given))).toBe(description);
});
