import { firstRequest } from "#lib/api/endpoints/operations/first-request.ts";
import { installCommand } from "#lib/api/endpoints/packages/client-packages.ts";
import type { Snippets } from "./snippet-languages.ts";

/** A first request with a new key, which creates a PDF. `url` has no slash at its end. */
export function firstSnippets(url: string, apiKey: string): Required<Snippets> {
  return {
    curl: firstRequest(url, apiKey),
    typescript: `// ${installCommand("sdk", url)}
import { Mediamill } from "@mediamill/sdk";

const mm = new Mediamill({ apiKey: "${apiKey}", baseUrl: "${url}" });
const input = new File(["<h1>Hello</h1>"], "hello.html");
const job = await mm.run("document/html-to-pdf", { input });
console.log(job.output.url);
`,
    python: `# ${installCommand("python", url)}
from mediamill import Mediamill

mm = Mediamill("${apiKey}", "${url}")
job = mm.run("document/html-to-pdf", input=("hello.html", b"<h1>Hello</h1>"))
print(job.output.url)
`,
    cli: `# ${installCommand("cli", url)}
export MEDIAMILL_API_KEY=${apiKey} MEDIAMILL_BASE_URL=${url}
printf '<h1>Hello</h1>' > hello.html
mediamill document html-to-pdf hello.html -o out/`,
  };
}
