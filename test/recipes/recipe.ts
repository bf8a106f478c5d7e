import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'testing', 'recipes.md'), 'utf8');

/** Returns the program on the page in this language. */
export function recipe(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  if (code === undefined) throw new Error(`there is no recipe in ${language}`);
  return code;
}
