import type { INodeProperties } from "n8n-workflow";

/** An operation of the service, as the catalogue describes it. */
export interface OperationFields {
  /** The second part of its id: `resize` of `image/resize`. */
  name: string;
  title: string;
  /** The summary without a period at its end. */
  summary: string;
  /** How many files it takes. */
  inputs: "none" | "one" | "many";
  /** Further files, such as a watermark. */
  parts: INodeProperties[];
  required: INodeProperties[];
  optional: INodeProperties[];
  /** Parameters that are a number or a text. */
  mixed: string[];
}
