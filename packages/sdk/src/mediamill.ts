import { Client } from "./client.ts";
import { groupsByName } from "./generated.ts";
import type { ClientOptions } from "./http.ts";

/** A client of one account. */
export class Mediamill extends Client {
  constructor(options: ClientOptions = {}) {
    super(options, groupsByName);
  }
}
