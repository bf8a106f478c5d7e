import { expect, it } from 'vitest';
import { jsonLines } from './json-lines.ts';

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function documents(...texts: (string | Buffer)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const document of jsonLines(pieces(...texts))) found.push(document);
  return found;
}

it.each([
  ['one per chunk', ['{"a":1}\n', '{"a":2}\n'], [{ a: 1 }, { a: 2 }]],
  ['several in a chunk', ['1\n2\n3\n'], [1, 2, 3]],
  ['one in many chunks', ['{"a', '":', '1}', '\n'], [{ a: 1 }]],
  ['with empty lines between', ['1\n\n', '\n2\n'], [1, 2]],
  ['without the end of the last one', ['1\n', '{"a":'], [1]],
  ['none', [], []],
])('yields the documents: %s', async (_what, chunks, expected) => {
  expect(await documents(...chunks)).toEqual(expected);
});

it('does not break characters that lie across chunks', async () => {
  const bytes = Buffer.from('"naïve 🚢"\n');
  const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(await documents(...chunks)).toEqual(['naïve 🚢']);
});

it('hands out a document before the stream goes on', async () => {
  let asked = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.from(`${asked++}\n`);
  }
  const lines = jsonLines(endless());
  expect((await lines.next()).value).toBe(0);
  expect(asked).toBe(1);
  await lines.return(undefined);
});
