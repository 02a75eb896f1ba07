/** The JSON Schema of a parameter, as far as the command line uses it. */
export interface ParameterSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly items?: ParameterSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly writeOnly?: boolean;
}

/** An operation as `GET /v1/operations` describes it. */
export interface CatalogueOperation {
  /** The id of the operation, such as `image/resize`. */
  readonly id: string;
  readonly summary: string;
  /** The accepted media types. */
  readonly accepts: readonly string[];
  readonly inputs: { readonly min: number; readonly max: number };
  readonly parameters: {
    readonly properties: Readonly<Record<string, ParameterSchema>>;
    readonly required?: readonly string[];
  };
  readonly example: Readonly<Record<string, unknown>>;
}

/** A parameter as a flag. */
export interface Parameter {
  /** Its name in the API; of a file part, the name of the part. */
  readonly name: string;
  /** The name of the flag without dashes, such as `page-size`. */
  readonly flag: string;
  readonly schema: ParameterSchema;
  readonly isRequired: boolean;
  /** Whether its value is a file, sent as a part of the form or as `<name>_url`. */
  readonly isFile: boolean;
  readonly isSecret: boolean;
}

/** The parameters of an operation. `reserved`: flags of the command line itself. */
export function parametersOf(
  operation: CatalogueOperation,
  reserved: ReadonlySet<string>,
): Parameter[] {
  const { properties, required = [] } = operation.parameters;
  return Object.entries(properties).map(([field, schema]) => {
    const isFile = isFileField(field, schema);
    const name = isFile ? field.slice(0, -"_url".length) : field;
    const plain = name.replaceAll("_", "-");
    return {
      name,
      flag: reserved.has(plain) ? `param-${plain}` : plain,
      schema,
      isRequired: required.includes(field),
      isFile,
      isSecret: schema.writeOnly === true,
    };
  });
}

/** A field that takes a URL or the id of an upload is the JSON form of a file part. */
function isFileField(name: string, { anyOf = [] }: ParameterSchema): boolean {
  return name.endsWith("_url") && anyOf.some(({ pattern }) => pattern?.startsWith("^upload_"));
}

/** The group and the name: `["image", "resize"]`. */
export function splitId(id: string): [group: string, name: string] {
  const [group = "", name = ""] = id.split("/");
  return [group, name];
}
