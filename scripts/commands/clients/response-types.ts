import { componentSchema, type ObjectSchema } from "#lib/api/http/schema-messages.ts";
import {
  accountEventTypes,
  endpointEventTypes,
  eventTypes,
  webhookEventTypes,
} from "#lib/db/schema/event-types.ts";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import { jobSchema, outputSchema } from "#lib/jobs/view/job.ts";
import { jobStepSchema } from "#lib/jobs/view/steps.ts";
import { PythonTypes } from "./render-python-types.ts";
import { TypeScriptTypes, toComment } from "./typescript-types.ts";

/** The types of what the API sends, for the clients: from the schemas of its responses. */

/** Names of texts that have one of some values. */
const choices = {
  JobStatus: jobStatuses,
  JobEventType: eventTypes,
  WebhookEventType: webhookEventTypes,
  EndpointEventType: endpointEventTypes,
  AccountEventType: accountEventTypes,
} as const;

/** Objects, each after those that it contains. */
const objects = {
  OutputData: componentSchema(outputSchema),
  JobStepData: componentSchema(jobStepSchema),
  JobData: withOpenCodes(componentSchema(jobSchema)),
} as const;

/** A job whose error code is any text: a newer service may have more codes. */
function withOpenCodes(schema: ObjectSchema): ObjectSchema {
  const { error_code } = schema.properties ?? {};
  if (!error_code) throw new Error("the schema of a job has no `error_code`");
  const anyText = { ...error_code, anyOf: [{ type: "string" }, { type: "null" }] } as const;
  return { ...schema, properties: { ...schema.properties, error_code: anyText } };
}

/**
 * Renders the types of responses for the TypeScript SDK. `JobData` has a parameter for the type of
 * its result.
 */
export function renderSdkResponses(): string {
  const types = new TypeScriptTypes({ isReadonly: false });
  const unions = Object.entries(choices).map(
    ([name, values]) => `export type ${name} = ${types.typeOf({ enum: values }, "")};\n`,
  );
  const interfaces = Object.entries(objects).map(([name, schema]) => {
    const { description = "", properties: { result } = {} } = schema;
    const parameter = result ? `<Result = ${types.typeOf(result, "")}>` : "";
    const fields = types
      .fields(schema, "  ")
      .map((line) => (line.startsWith("  result: ") ? "  result: Result;" : line));
    const start = `/** ${toComment(description)} */\nexport interface ${name}${parameter} {`;
    return [start, ...fields, "}\n"].join("\n");
  });
  const values = JSON.stringify(webhookEventTypes, null, 2);
  const list = `/** The types of events that webhooks have. */\nexport const webhookEventTypes: readonly WebhookEventType[] = ${values};\n`;
  return [...unions, ...interfaces, list].join("\n");
}

/** Renders the types of responses for the Python package. */
export function renderPythonResponses(): string {
  const types = new PythonTypes({ isReadonly: false });
  for (const [name, schema] of Object.entries(objects)) {
    types.addClass(name, schema, schema.description ?? "");
  }
  const literals = Object.entries(choices).map(
    ([name, values]) =>
      `${name} = Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]\n`,
  );
  return [
    '"""The types of what the API sends."""',
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any, Dict, List, Literal, TypedDict, Union",
    "",
    ...literals,
    ...types.classes,
  ].join("\n");
}
