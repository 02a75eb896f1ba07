import { inject } from "vitest";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { FormBrowser } from "./form-browser.ts";

/** The home page of the service in a browser without an account. */
export class Visitor extends FormBrowser {
  constructor() {
    super(inject("service").url);
  }

  run(operation: string, fields: Readonly<Record<string, string | File>>, init: RequestInit = {}) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return this.send(`/try/run/${operation}`, { method: "POST", body, ...init });
  }

  inspect(file = new File(["some text"], "a.txt")) {
    return this.run("pipeline/file-inspect", { file });
  }

  /** Runs an operation and waits until its job ends. */
  async finish(operation: string, fields: Readonly<Record<string, string | File>>): Promise<Job> {
    const response = await this.run(operation, fields);
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    const { id } = (await response.json()) as Job; // the service's response
    return (await this.follow(id)).job;
  }

  /** The last state that a job's event stream sends. */
  async follow(id: string): Promise<JobDetails> {
    const text = await (await this.send(`/try/jobs/${id}/events`)).text();
    const last = text.match(/^data: .*$/gm)?.at(-1) ?? "";
    return JSON.parse(last.replace("data: ", "")) as JobDetails; // the service's event
  }
}
