import { type FieldSchema, inputSchema, outputSchema } from "#lib/api/http/schema-messages.ts";
import type { Operation } from "#lib/operations/define.ts";
import { PythonTypes } from "./render-python-types.ts";

/** The parameters of each operation as classes of Python, from the schemas that validate requests. */
export function renderPythonParams(operations: readonly Operation[]): string {
  const types = new PythonTypes({ isReadonly: true });
  for (const operation of operations) {
    const { id, params, files = {}, inputs } = operation;
    const name = className(id);
    const urls = Object.entries(files).map(([part, { description }]): [string, FieldSchema] => [
      `${part}_url`,
      { type: "string", description: `URL or upload of ${part}: ${description}` },
    ]);
    const schema = inputSchema(params);
    const properties = { ...schema.properties, ...Object.fromEntries(urls) };
    types.addClass(`${name}Params`, { ...schema, properties }, operation.summary);
    const bases = [`${name}Params`, inputClass(inputs), "JobFields"].filter(Boolean);
    types.addRunClass(`${name}Run`, bases, Object.keys(files));
    if (operation.result) types.addResult(`${name}Result`, outputSchema(operation.result));
  }
  return [
    '"""The parameters of the operations, by the names of the API."""',
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any, List, Literal, Mapping, Sequence, TypedDict, Union",
    "",
    "from ._types import FileInput",
    "",
    ...inputClasses,
    ...types.classes,
  ].join("\n");
}

/** What the client has to know of the operations when it runs. */
export function renderPythonTables(operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations.filter(isChainable), nameOf);
  const parts = operations.filter(({ files = {} }) => Object.keys(files).length > 0);
  const tuple = (values: readonly string[]) =>
    `(${values.map((value) => `${JSON.stringify(value)},`).join(" ")})`;
  return [
    '"""What the client has to know of the operations when it runs."""',
    "",
    "from typing import Dict, Tuple",
    "",
    "groups_by_name: Dict[str, Tuple[str, ...]] = {",
    ...[...groups].map(
      ([name, own]) => `    ${JSON.stringify(name)}: ${tuple(own.map(({ group }) => group))},`,
    ),
    "}",
    '"""The groups that have an operation of each name, of those that a chain can have."""',
    "",
    "file_parts: Dict[str, Tuple[str, ...]] = {",
    ...parts.map(
      ({ id, files = {} }) => `    ${JSON.stringify(id)}: ${tuple(Object.keys(files))},`,
    ),
    "}",
    '"""The further files of each operation."""',
    "",
  ].join("\n");
}

/** The stub of `run` and `create`, with an overload for each operation. */
export function renderRunStub(operations: readonly Operation[], isAsync: boolean): string {
  const { def, prefix } = style(isAsync);
  const methods = (["run", "create"] as const).flatMap((method) =>
    operations.flatMap(({ id, summary, result }) => [
      "    @overload",
      `    ${def} ${method}(`,
      "        self,",
      `        operation: Literal[${JSON.stringify(id)}],`,
      "        *,",
      ...(method === "run" ? waitOptions : createOptions),
      `        **params: Unpack[${className(id)}Run],`,
      `    ) -> ${prefix}Job[${resultType(id, result)}]:`,
      `        ${docstring(summary)}`,
    ]),
  );
  return [
    "from typing import Literal, Optional, overload",
    "",
    "from typing_extensions import Unpack",
    "",
    "from ..operations import (",
    ...operations.flatMap(({ id, result }) => [
      `    ${className(id)}Run,`,
      ...(result ? [`    ${className(id)}Result,`] : []),
    ]),
    ")",
    `from .http import ${prefix}Http`,
    `from .job import ${prefix}Job`,
    "from .waiting import OnProgress",
    "",
    `class ${prefix}OperationMethods:`,
    `    _http: ${prefix}Http`,
    ...methods,
    "",
  ].join("\n");
}

/** The stub of a chain, with a method for each operation that it can have. */
export function renderChainStub(operations: readonly Operation[], isAsync: boolean): string {
  const { def, prefix } = style(isAsync);
  const chainable = operations.filter(isChainable);
  const signature = ({ id }: Operation, name: string, first: readonly string[]) =>
    `    def ${name}(self, ${[...first, `**params: Unpack[${className(id)}Params]`].join(", ")}) -> ${prefix}Chain: ...`;
  const methods = [...Map.groupBy(chainable, nameOf)].flatMap(([name, own]) =>
    own.flatMap((operation) => {
      const line = signature(operation, name.replaceAll("-", "_"), []);
      // An overload may take the same parameters as one before it.
      return own.length > 1 ? ["    @overload", `${line}  # type: ignore`] : [line];
    }),
  );
  const additions = chainable.flatMap((operation) => [
    "    @overload",
    signature(operation, "add", [`operation: Literal[${JSON.stringify(operation.id)}]`]),
  ]);
  const jobFields = [
    "        webhook_url: Optional[str] = ...,",
    "        metadata: Optional[Mapping[str, str]] = ...,",
    "        keep_steps: Optional[bool] = ...,",
    "        output: Optional[Mapping[str, Any]] = ...,",
    "        keep: Optional[bool] = ...,",
  ];
  const end = (name: string, options: readonly string[]) => [
    `    ${def} ${name}(`,
    "        self,",
    "        *,",
    ...options,
    ...jobFields,
    `    ) -> ${prefix}Job: ...`,
  ];
  return [
    "from typing import Any, List, Literal, Mapping, Optional, Sequence, overload",
    "",
    "from typing_extensions import Unpack",
    "",
    "from .._types import FileInput",
    "from ..operations import (",
    ...chainable.map(({ id }) => `    ${className(id)}Params,`),
    ")",
    `from .http import ${prefix}Http`,
    `from .job import ${prefix}Job`,
    "from .waiting import OnProgress",
    "",
    `class ${prefix}Chain:`,
    "    steps: List[Mapping[str, Any]]",
    "    def __init__(",
    `        self, http: ${prefix}Http, file: FileInput, steps: Sequence[Mapping[str, Any]] = ...`,
    "    ) -> None: ...",
    ...end("run", waitOptions),
    ...end("create", createOptions),
    ...additions,
    ...methods,
    "",
  ].join("\n");
}

function resultType(id: string, result: Operation["result"]): string {
  if (!result) return "None";
  const name = `${className(id)}Result`;
  return result.safeParse(undefined).success ? `Optional[${name}]` : name;
}

const createOptions = [
  "        on_progress: Optional[OnProgress] = ...,",
  "        idempotency_key: Optional[str] = ...,",
];

const waitOptions = [
  "        timeout: Optional[float] = ...,",
  "        cancel_on_interrupt: bool = ...,",
  ...createOptions,
];

const style = (isAsync: boolean) => ({
  def: isAsync ? "async def" : "def",
  prefix: isAsync ? "Async" : "",
});

/** The name of a class: `image/watermark-text` becomes `ImageWatermarkText`. */
const className = (id: string) =>
  id.replaceAll(/(?:^|[/-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const nameOf = ({ id }: Operation) => id.split("/")[1] ?? id;

const isChainable = ({ inputs }: Operation) => inputs.max === 1;

const docstring = (text: string) => `"""${text.replaceAll('"', "'")}"""`;

function inputClass({ max }: { readonly max: number }): string {
  if (max === 0) return "";
  return max === 1 ? "OneInput" : "ManyInputs";
}

const inputClasses = [
  "",
  "class OneInput(TypedDict):",
  "    input: FileInput",
  "",
  "",
  "class ManyInputs(TypedDict):",
  "    inputs: Sequence[FileInput]",
  "",
  "",
  "class JobFields(TypedDict, total=False):",
  "    webhook_url: str",
  '    """Gets a signed webhook when the job has ended."""',
  "    metadata: Mapping[str, str]",
  '    """At most 16 texts, which the job returns."""',
  "    output: Mapping[str, Any]",
  '    """Where the outputs are sent: a presigned `url` or `urls` and `headers`, or a `connection` and `path`."""',
  "    keep: bool",
  '    """Whether outputs that are sent to `output` are kept by the service as well."""',
  "",
];
