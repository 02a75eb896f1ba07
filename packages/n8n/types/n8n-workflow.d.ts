/**
 * The part of n8n-workflow that the nodes use. n8n brings the package itself, and it is large; `npm run
 * lint` in this folder has the real one.
 */
declare module "n8n-workflow" {
  import type { Readable } from "node:stream";

  // biome-ignore lint/suspicious/noExplicitAny: as n8n declares it
  type Any = any;

  export type GenericValue = string | object | number | boolean | undefined | null;
  export interface IDataObject {
    [key: string]: GenericValue | IDataObject | GenericValue[] | IDataObject[];
  }
  export interface JsonObject {
    [key: string]: Any;
  }
  export interface IBinaryData {
    data: string;
    mimeType: string;
    fileName?: string;
    bytes?: number;
    id?: string;
  }
  export interface IPairedItemData {
    item: number;
  }
  export interface INodeExecutionData {
    json: IDataObject;
    binary?: Record<string, IBinaryData>;
    pairedItem?: IPairedItemData | IPairedItemData[] | number;
  }
  export interface INode {
    name: string;
    type: string;
  }

  export interface IHttpRequestOptions {
    url: string;
    method?: "GET" | "POST" | "PUT" | "DELETE";
    headers?: IDataObject;
    qs?: IDataObject;
    body?: GenericValue | Buffer;
    encoding?: "arraybuffer" | "stream" | "json" | "text";
    json?: boolean;
    returnFullResponse?: boolean;
    ignoreHttpStatusErrors?: boolean;
    timeout?: number;
    abortSignal?: AbortSignal;
  }

  interface Functions {
    getNode(): INode;
    getCredentials<Data extends object>(type: string): Promise<Data>;
    continueOnFail(): boolean;
  }

  interface RequestHelpers {
    httpRequest(options: IHttpRequestOptions): Promise<Any>;
    httpRequestWithAuthentication(
      this: IExecuteFunctions | IHookFunctions,
      credential: string,
      options: IHttpRequestOptions,
    ): Promise<Any>;
  }

  interface BinaryHelpers {
    prepareBinaryData(
      data: Buffer | Readable,
      fileName?: string,
      mimeType?: string,
    ): Promise<IBinaryData>;
    assertBinaryData(itemIndex: number, field: string): IBinaryData;
    getBinaryStream(id: string): Promise<Readable>;
    getBinaryMetadata(id: string): Promise<{ fileSize: number }>;
  }

  export interface IExecuteFunctions extends Functions {
    getInputData(): INodeExecutionData[];
    getExecutionCancelSignal(): AbortSignal | undefined;
    getNodeParameter(name: string, itemIndex: number, fallback?: Any): unknown;
    helpers: RequestHelpers & BinaryHelpers;
  }

  export interface IHookFunctions extends Functions {
    getNodeParameter(name: string, fallback?: Any): unknown;
    getNodeWebhookUrl(name: string): string | undefined;
    getWorkflowStaticData(type: "node" | "global"): IDataObject;
    helpers: RequestHelpers;
  }

  export interface IWebhookFunctions extends Functions {
    getNodeParameter(name: string, fallback?: Any): unknown;
    getWorkflowStaticData(type: "node" | "global"): IDataObject;
    getHeaderData(): Record<string, string | string[] | undefined>;
    getBodyData(): IDataObject;
    getRequestObject(): { rawBody?: Buffer };
    getResponseObject(): { status(code: number): { json(body: unknown): unknown } };
  }

  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][];
    noWebhookResponse?: boolean;
  }

  type Icon = { readonly light: `file:${string}`; readonly dark: `file:${string}` };
  type DisplayOptions = {
    show?: Record<string, (string | number | boolean)[]>;
    hide?: Record<string, (string | number | boolean)[]>;
  };

  export interface INodePropertyOptions {
    name: string;
    value: string | number | boolean;
    description?: string;
    action?: string;
  }

  export interface INodeProperties {
    displayName: string;
    name: string;
    type:
      | "boolean"
      | "collection"
      | "color"
      | "json"
      | "multiOptions"
      | "notice"
      | "number"
      | "options"
      | "string";
    typeOptions?: {
      password?: boolean;
      rows?: number;
      minValue?: number;
      maxValue?: number;
      numberPrecision?: number;
      multipleValues?: boolean;
      multipleValueButtonText?: string;
    };
    default: string | number | boolean | object | undefined | null;
    description?: string;
    placeholder?: string;
    required?: boolean;
    noDataExpression?: boolean;
    displayOptions?: DisplayOptions;
    options?: (INodePropertyOptions | INodeProperties)[];
  }

  export type NodeConnectionType = "main";
  export const NodeConnectionTypes: { readonly Main: "main" };

  export interface INodeTypeDescription {
    displayName: string;
    name: string;
    icon: Icon;
    group: ("transform" | "trigger")[];
    version: number;
    subtitle: string;
    description: string;
    eventTriggerDescription?: string;
    defaults: { name: string };
    usableAsTool?: true;
    inputs: NodeConnectionType[];
    outputs: NodeConnectionType[];
    credentials: { name: string; required: boolean }[];
    webhooks?: {
      name: "default";
      httpMethod: "POST";
      responseMode: "onReceived";
      path: string;
    }[];
    properties: INodeProperties[];
  }

  export interface INodeType {
    description: INodeTypeDescription;
    execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>;
    webhookMethods?: {
      default: Record<
        "checkExists" | "create" | "delete",
        (this: IHookFunctions) => Promise<boolean>
      >;
    };
  }

  export interface IAuthenticateGeneric {
    type: "generic";
    properties: { headers: Record<string, string> };
  }
  export interface ICredentialTestRequest {
    request: { baseURL: string; url: string };
  }
  export interface ICredentialType {
    name: string;
    displayName: string;
    icon?: Icon;
    documentationUrl?: string;
    properties: INodeProperties[];
    authenticate?: IAuthenticateGeneric;
    test?: ICredentialTestRequest;
  }

  interface ErrorOptions {
    message?: string;
    description?: string;
    itemIndex?: number;
    httpCode?: string;
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string | JsonObject, options?: ErrorOptions);
    description: string | null | undefined;
    context: { itemIndex?: number };
  }
  export class NodeApiError extends Error {
    constructor(node: INode, response: JsonObject, options?: ErrorOptions);
    description: string | null | undefined;
    httpCode: string | null;
    context: { itemIndex?: number };
  }
  export function sleep(milliseconds: number): Promise<void>;
}
