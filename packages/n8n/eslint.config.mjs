import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes";
import tseslint from "typescript-eslint";

export default [
  { ignores: ["dist", "types", "node_modules", "eslint.config.mjs", "tsconfig.json"] },
  n8nCommunityNodesPlugin.configs.recommended,
  { files: ["**/*.ts", "package.json"], languageOptions: { parser: tseslint.parser } },
];
