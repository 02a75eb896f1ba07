import { expect, it } from "vitest";
import { nameFields } from "#lib/gotenberg/run/name-fields.ts";

const fields = { tags: "metadata", "tags.Author": "author", files: "index.html" };

it.each([
  ["`tags.Title` must be text.", "form field 'metadata.Title' must be text."],
  ["`tags.Author` must be text.", "form field 'author' must be text."],
  ["`files` is empty.", "form file 'index.html' is empty."],
  ["`constructor` is unknown.", "`constructor` is unknown."],
  ["`__proto__.toString` is unknown.", "`__proto__.toString` is unknown."],
])("%s", (message, named) => expect(nameFields(message, fields)).toBe(named));
