import { installCommand } from "#lib/api/endpoints/packages/client-packages.ts";
import { Expression, typescriptStyle, writeLiteral } from "./literal.ts";
import { type Call, type CallFile, toArguments } from "./request.ts";

/** A TypeScript module with the SDK. Node ≥ 22.18 runs it directly; Node ≥ 20 needs it compiled. */
export function writeTypescript(call: Call): string {
  const sendsPart = call.files.some(
    ({ urlField, source }) => urlField !== "input" && "file" in source,
  );
  return [
    `// ${installCommand("sdk", call.baseUrl)}`,
    ...(sendsPart ? ['import { openAsBlob } from "node:fs";'] : []),
    'import { Mediamill } from "@mediamill/sdk";',
    "",
    `const mm = new Mediamill({ baseUrl: ${text(call.baseUrl)} });`,
    ...(call.operation === "chain" ? writeChain(call) : writeRun(call)),
    "for (const output of job.outputs) console.log(output.url);",
    "",
  ].join("\n");
}

function writeRun(call: Call): string[] {
  const given = { ...toArguments(call, sourceOf, fieldOf), ...call.fields };
  return [`const job = await mm.run(${text(call.operation)}, ${literal(given)});`];
}

/** Each operation on a line of its own. */
function writeChain({ files, fields }: Call): string[] {
  const { operations, ...options } = fields;
  const [input] = files;
  const steps = Array.isArray(operations) ? operations : [];
  return [
    "const job = await mm",
    `  .chain(${literal(input ? sourceOf(input) : "input")})`,
    ...steps.map(
      ({ type, params = {} }) =>
        `  .add(${text(type)}, ${writeLiteral(params, typescriptStyle, "  ")})`,
    ),
    `  .run(${Object.keys(options).length > 0 ? writeLiteral(options, typescriptStyle, "  ") : ""});`,
  ];
}

/** A main file is a path or a URL, a further file is content or a URL. */
function sourceOf({ urlField, source }: CallFile): unknown {
  if ("url" in source) return source.url;
  if (urlField === "input") return source.file;
  return new Expression(`await openAsBlob(${text(source.file)})`);
}

const fieldOf = ({ part, urlField, source }: CallFile) => ("url" in source ? urlField : part);

const text = JSON.stringify;

const literal = (value: unknown) => writeLiteral(value, typescriptStyle);
