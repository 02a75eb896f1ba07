interface SchemaNode<Node> {
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

interface Location<Node> {
  /** Such as `bookmarks[0].page`; empty for the whole request. */
  readonly name: string;
  readonly schema: Node | undefined;
  /** Whether this is the whole path. Names of records are a client's, and are not shown. */
  readonly isWhole: boolean;
}

/** Not what all objects have, such as `constructor`. */
function ownProperty<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The field at a path of a parse, as far as `schema`, a JSON Schema, knows it. */
export function locate<Node extends SchemaNode<Node>>(
  path: readonly PropertyKey[],
  schema: Node,
): Location<Node> {
  let name = "";
  let found: Node | undefined = schema;
  for (const [index, key] of path.entries()) {
    const next: Node | undefined =
      typeof key === "number" ? found?.items : ownProperty(found?.properties, String(key));
    if (!next && index > 0) return { name, schema: found, isWhole: false };
    name += typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`;
    found = next;
  }
  return { name, schema: found, isWhole: true };
}
