import { describe, expect, it } from "vitest";
import { deliveriesUrl, parseDeliveryQuery } from "#components/webhooks/delivery-filters.ts";

describe("the URL of the list of deliveries", () => {
  it("keeps every filter", () => {
    const query = {
      job: `job_${"0".repeat(24)}`,
      endpoint: `we_${"0".repeat(24)}`,
      status: "failed",
      before: `whd_${"0".repeat(24)}`,
    };
    const url = deliveriesUrl(parseDeliveryQuery(query));
    const read = Object.fromEntries(new URL(url, "http://host").searchParams);
    expect(parseDeliveryQuery(read)).toEqual(query);
  });

  it.each(["job_1 and more", "invoice 7", "<b>", "Überweisung"])(
    "filters by %s as the id of a job, so that no delivery matches",
    (job) => {
      expect(parseDeliveryQuery({ job: ` ${job} ` })).toEqual({ job });
    },
  );

  it.each([
    ["job", ""],
    ["job", "a\0b"],
    ["job", "a".repeat(101)],
    ["job", ["a", "b"]],
    ["endpoint", "we_'"],
    ["status", "done"],
    ["before", "1"],
  ])("ignores %s=%j", (name, value) => {
    expect(parseDeliveryQuery({ [name]: value })).toEqual({});
  });
});
