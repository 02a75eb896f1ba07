/** A command for a POSIX shell, and what it does. */
export interface ExampleCommand {
  readonly title: string;
  readonly command: string;
}

/**
 * Three curl commands that follow the first one. They work when pasted: the input is a sample file of the service,
 * sent by stdin. `url` is the URL of the service without a slash at the end.
 */
export function nextRequests(url: string, apiKey: string): ExampleCommand[] {
  const send = (sample: string, path: string, ...fields: string[]) =>
    [
      `curl -sS ${url}/samples/inputs/${sample} |`,
      `curl -sS -H 'X-API-Key: ${apiKey}' -H 'Prefer: wait=60'`,
      `-F 'file=@-;filename=${sample}'`,
      ...fields.map((field) => `-F '${field}'`),
      `${url}${path}`,
    ].join(" ");
  const operations = [
    { type: "image/resize", params: { width: 640 } },
    { type: "image/watermark-text", params: { text: "Draft" } },
  ];
  return [
    { title: "Resize an image", command: send("photo.jpg", "/v1/image/resize", "width=640") },
    { title: "Convert audio", command: send("audio.flac", "/v1/audio/convert", "format=mp3") },
    {
      title: "Run a chain",
      command: send("photo.jpg", "/v1/jobs", `operations=${JSON.stringify(operations)}`),
    },
  ];
}
