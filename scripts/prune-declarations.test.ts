import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pruneDeclarations } from './prune-declarations.ts';

test('only the declarations that an entry point reaches are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-declarations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'index.d.ts': "export * from './part/one.ts';\nexport declare const a: import('./two.ts').Two;\n",
    'part/one.d.ts': "import type { Three } from '../three.ts';\nexport type One = Three;\n",
    'two.d.ts': "import type { One } from './part/one.ts';\nexport type Two = One;\n",
    'three.d.ts': "import { Readable } from 'node:stream';\nexport type Three = Readable;\n",
    'unreached.d.ts': "export * from './index.ts';\n",
    'part/unreached.d.ts': 'export {};\n',
  };
  mkdirSync(join(folder, 'part'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  pruneDeclarations(folder, ['index.d.ts']);
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  expect(left.sort()).toEqual(['index.d.ts', 'part/one.d.ts', 'three.d.ts', 'two.d.ts']);
});
