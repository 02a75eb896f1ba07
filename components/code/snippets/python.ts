import { Expression, pythonStyle, writeLiteral } from "./literal.ts";
import { type Call, toJsonBody } from "./request.ts";

/**
 * A script for Python ≥ 3.9 and its standard library. The library cannot encode multipart forms, so
 * the script creates an upload for each file and streams it from disk.
 */
export function writePython(call: Call): string {
  const text = JSON.stringify;
  const body = toJsonBody(call, (path) => new Expression(`upload(${text(path)})`));
  return [
    "import json",
    "import os",
    "import urllib.error",
    "import urllib.request",
    "",
    `SERVICE = ${text(call.baseUrl)}`,
    'KEY = os.environ["MEDIAMILL_API_KEY"]',
    "",
    "",
    "def call(method, path, body=None):",
    "    request = urllib.request.Request(",
    "        SERVICE + path,",
    "        method=method,",
    '        headers={"X-API-Key": KEY, "Content-Type": "application/json"},',
    "        data=None if body is None else json.dumps(body).encode(),",
    "    )",
    "    try:",
    "        with urllib.request.urlopen(request) as response:",
    "            return json.load(response)",
    "    except urllib.error.HTTPError as error:",
    '        raise SystemExit(json.load(error)["error"])',
    "",
    "",
    ...(call.isForm ? uploadFunction : []),
    `fields = ${writeLiteral(body, pythonStyle)}`,
    `job = call("POST", ${text(call.path)}, fields)`,
    'while job["status"] in ("pending", "processing"):',
    '    job = call("GET", f"/v1/jobs/{job[\'id\']}?wait=60")',
    'if job["status"] != "completed":',
    '    raise SystemExit(job["error"] or job["status"])',
    'for output in job["outputs"]:',
    '    print(output["url"])',
    "",
  ].join("\n");
}

const uploadFunction = [
  "def upload(path):",
  "    size = os.path.getsize(path)",
  '    target = call("POST", "/v1/uploads", {"filename": os.path.basename(path), "bytes": size})',
  '    headers = {"Content-Length": str(size), **target["headers"]}',
  '    with open(path, "rb") as file:',
  "        request = urllib.request.Request(",
  '            target["url"], data=file, headers=headers, method=target["method"]',
  "        )",
  "        urllib.request.urlopen(request).close()",
  '    return target["id"]',
  "",
  "",
];
