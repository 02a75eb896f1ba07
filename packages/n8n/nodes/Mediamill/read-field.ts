import type { IExecuteFunctions } from "n8n-workflow";

/** The value of a field of the node for one item. n8n has checked its type against the description. */
export function readField<Value>(
  context: IExecuteFunctions,
  name: string,
  itemIndex: number,
  fallback?: unknown,
): Value {
  return context.getNodeParameter(name, itemIndex, fallback) as Value;
}
