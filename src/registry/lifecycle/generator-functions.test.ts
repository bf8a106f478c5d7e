import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const directory = import.meta.dirname;
const sources = readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

/** A generator function that is not a declaration of the module or a method of a class. */
const expression = /[=(,:?]\s*(async\s+)?function\s*\*|^ {4,}(async )?\*\[?\w+\]?\(/m;

// V8 keeps the scope of such a function, and so the request, until a full collection. The long test shows it.
it.each(sources)('%s creates no generator function for a request', (name) => {
  expect(readFileSync(join(directory, name), 'utf8')).not.toMatch(expression);
});
