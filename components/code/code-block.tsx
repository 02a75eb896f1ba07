import { CodeFrame } from "./code-frame.tsx";
import { type CodeLanguage, highlight } from "./highlight.ts";

interface CodeBlockProps {
  readonly code: string;
  readonly language: CodeLanguage;
  /** Above the code, such as a file's name. */
  readonly title?: string;
  readonly className?: string;
}

/** Code in colour, drawn on the server, with a button that copies it. */
export async function CodeBlock({ code, language, title, className }: CodeBlockProps) {
  const html = await highlight(code, language);
  return (
    <CodeFrame code={code} className={className} {...(title === undefined ? {} : { title })}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the highlighter, which escapes. */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </CodeFrame>
  );
}
