import { describe, expect, it } from "vitest";
import { folderSteps, nameOf } from "#components/connections/browse/folder-steps.ts";
import { locationOf, toConnectionView } from "#components/connections/connection-view.ts";
import { connectionKinds } from "#components/connections/kinds.ts";
import { requestOfForm } from "#components/connections/request-of-form.ts";
import { anyField } from "#lib/connections/fields.ts";
import {
  type ConnectionRow,
  type ConnectionType,
  connectionTypes,
} from "#lib/db/schema/credentials/connections.ts";

const row: ConnectionRow = {
  id: "conn_1",
  accountId: "acc_1",
  type: "sftp",
  name: "Server",
  prefix: "in",
  access: "both",
  operations: null,
  config: { host: "example.com", port: 2222, username: "anna", host_key: "SHA256:a" },
  secrets: "canary",
  createdAt: new Date(),
  testedAt: null,
  testError: null,
  usedAt: null,
};

function formOf(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

describe("the forms of connections", () => {
  it("have all fields of all types, and only those", () => {
    expect(Object.keys(connectionKinds)).toEqual([...connectionTypes]);
    const names = Object.values(connectionKinds).flatMap(({ fields }) =>
      fields.map(({ name }) => name),
    );
    expect([...new Set(names)].sort()).toEqual(Object.keys(anyField).sort());
    for (const { name, isSecret = false } of Object.values(connectionKinds).flatMap(
      ({ fields }) => fields,
    )) {
      const meta = anyField[name as keyof typeof anyField].meta();
      expect([name, meta?.writeOnly ?? false]).toEqual([name, isSecret]);
    }
  });

  it("send what is filled in, as the API takes it", () => {
    const form = formOf({
      name: " Server ",
      access: "read",
      operations: "image/resize, image/crop",
      host: " example.com ",
      port: "2222",
      username: "anna",
      password: " secret ",
    });
    expect(requestOfForm(form, "sftp", undefined)).toEqual({
      type: "sftp",
      name: "Server",
      prefix: "",
      access: "read",
      operations: ["image/resize", "image/crop"],
      host: "example.com",
      port: 2222,
      username: "anna",
      password: " secret ",
    });
  });

  it("keep secrets that are not filled in, and remove other fields that are emptied", () => {
    const form = formOf({ name: "Server", access: "both", host: "example.com", username: "anna" });
    expect(requestOfForm(form, "sftp", toConnectionView(row))).toEqual({
      name: "Server",
      prefix: "",
      access: "both",
      operations: null,
      host: "example.com",
      port: null,
      username: "anna",
      host_key: null,
    });
  });

  it("show no secrets", () => {
    expect(JSON.stringify(toConnectionView(row))).not.toContain("canary");
  });

  it.each([
    ["s3", { bucket: "a" }, "s3://a/in"],
    ["gcs", { bucket: "a" }, "gs://a/in"],
    ["azure", { account: "a", container: "b" }, "a/b/in"],
    ["sftp", { host: "h", port: 22, username: "u" }, "sftp://u@h/in"],
    ["webdav", { url: "https://h/dav/" }, "https://h/dav/in"],
  ] satisfies [ConnectionType, ConnectionRow["config"], string][])(
    "show where a connection of type %s leads",
    (type, config, location) => {
      expect(locationOf(toConnectionView({ ...row, type, config }))).toBe(location);
    },
  );
});

it("folders with an empty name have a step of their own", () => {
  expect(folderSteps("")).toEqual([""]);
  expect(folderSteps("/")).toEqual(["", "/"]);
  expect(folderSteps("a//b/")).toEqual(["", "a/", "a//", "a//b/"]);
  expect(["/", "a//", "a//b/", "a//b.jpg"].map(nameOf)).toEqual(["/", "/", "b", "b.jpg"]);
});
