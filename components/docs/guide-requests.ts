import { snippetLanguages } from "#components/code/snippet-languages.ts";
import { requestSnippets, type SnippetRequest } from "#components/code/snippets.ts";

const requestBlock = /^```request\n(.*?)\n```$/gms;

/** The requests of a guide: what its blocks `request` have as JSON. */
export function readRequests(text: string): Omit<SnippetRequest, "baseUrl">[] {
  return [...text.matchAll(requestBlock)].map(([, json = ""]) => JSON.parse(json));
}

/** Replaces each block `request` by code for each client. */
export function replaceRequests(text: string): string {
  return text.replaceAll(requestBlock, (_, json: string) => {
    const snippets = requestSnippets({ ...JSON.parse(json), baseUrl: "{{baseUrl}}" });
    const blocks = snippetLanguages.flatMap(({ key, label, language }) => {
      const code = snippets[key];
      return code === undefined ? [] : `\`\`\`${language} | ${label}\n${code.trimEnd()}\n\`\`\``;
    });
    return blocks.join("\n\n");
  });
}
