import { installCommand } from "#lib/api/endpoints/packages/client-packages.ts";
import { pythonStyle, writeLiteral } from "./literal.ts";
import { type Call, type CallFile, toArguments } from "./request.ts";

const longestLine = 80;

/** A script with the Python package. */
export function writePython(call: Call): string {
  return [
    `# ${installCommand("python", call.baseUrl)}`,
    "from mediamill import Mediamill",
    "",
    `mm = Mediamill(base_url=${JSON.stringify(call.baseUrl)})`,
    ...(call.operation === "chain" ? writeChain(call) : writeRun(call)),
    "for output in job.outputs:",
    "    print(output.url)",
    "",
  ].join("\n");
}

function writeRun(call: Call): string[] {
  const given = { ...toArguments(call, sourceOf, ({ part }) => part), ...call.fields };
  return [`job = ${writeCall("mm.run", [JSON.stringify(call.operation)], given, "")}`];
}

/** Each operation on a line of its own. */
function writeChain({ files, fields }: Call): string[] {
  const { operations, ...options } = fields;
  const [input] = files;
  const steps = Array.isArray(operations) ? operations : [];
  return [
    "job = (",
    `    mm.chain(${writeLiteral(input ? sourceOf(input) : "input", pythonStyle)})`,
    ...steps.map(
      ({ type, params = {} }) =>
        `    ${writeCall(".add", [JSON.stringify(type)], params as Record<string, unknown>, "    ")}`,
    ),
    `    ${writeCall(".run", [], options, "    ")}`,
    ")",
  ];
}

/** A call with named arguments, on several lines if it is long. */
function writeCall(
  name: string,
  first: readonly string[],
  named: Readonly<Record<string, unknown>>,
  margin: string,
): string {
  const inner = `${margin}    `;
  const given = [
    ...first,
    ...Object.entries(named).map(
      ([key, value]) => `${argumentName(key)}=${writeLiteral(value, pythonStyle, inner)}`,
    ),
  ];
  const line = `${name}(${given.join(", ")})`;
  if (line.length <= longestLine && !line.includes("\n")) return line;
  return `${name}(\n${given.map((one) => `${inner}${one},\n`).join("")}${margin})`;
}

/** The package finds out whether it is a path or a URL. */
const sourceOf = ({ source }: CallFile) => ("url" in source ? source.url : source.file);

/** A keyword of Python has an underscore at its end. */
const argumentName = (name: string) => (pythonKeywords.has(name) ? `${name}_` : name);

/** Words that cannot be the name of an argument. */
export const pythonKeywords: ReadonlySet<string> = new Set([
  ..."False None True and as assert async await break class continue def del elif else".split(" "),
  ..."except finally for from global if import in is lambda nonlocal not or pass raise".split(" "),
  ..."return try while with yield".split(" "),
]);
