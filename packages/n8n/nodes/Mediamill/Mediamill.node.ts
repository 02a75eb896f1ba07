import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { takesAllItems } from "./build-request.ts";
import { properties } from "./description.ts";
import { manageJob, runJob } from "./jobs.ts";
import { readField } from "./read-field.ts";
import { request } from "./service.ts";

/** Runs operations on files, and manages the account's jobs. */
export class Mediamill implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Mediamill",
    name: "mediamill",
    icon: { light: "file:../../icons/mediamill.svg", dark: "file:../../icons/mediamill.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Transform video, audio, images and documents",
    defaults: { name: "Mediamill" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "mediamillApi", required: true }],
    properties,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const results: INodeExecutionData[] = [];
    const isOne = items.length > 0 && takesAllItems(this);
    const last = isOne ? 1 : items.length;
    for (let index = 0; index < last; index++) {
      const pairedItem = isOne ? items.map((_, item) => ({ item })) : { item: index };
      try {
        const resource: string = readField(this, "resource", index);
        if (resource === "job") results.push(...(await manageJob(this, index)));
        else if (resource === "account") {
          const json = await request<IDataObject>(this, index, { url: "/v1/usage" });
          results.push({ json, pairedItem });
        } else results.push(...(await runJob(this, index, pairedItem)));
      } catch (error) {
        const { message, description } = error as NodeOperationError;
        if (!this.continueOnFail()) {
          const details = { itemIndex: index, ...(description ? { description } : {}) };
          throw new NodeOperationError(this.getNode(), error as Error, details);
        }
        results.push({ json: { error: message, description }, pairedItem });
      }
    }
    return [results];
  }
}
