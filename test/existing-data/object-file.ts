import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { configMap } from './snapshot-file.ts';

/** Creates a file of config maps, as `keelson export` writes it. It is removed after the test. */
export async function objectFile(count: number): Promise<string> {
  const hash = createHash('sha256');
  const lines = [`{"format":"keelson-objects","version":1,"revision":${count + 5}}\n`];
  for (let index = 0; index < count; index++) {
    const name = `n${String(index).padStart(6, '0')}`;
    const key = `/registry/configmaps/shop/${name}`;
    const object = JSON.stringify(configMap(name, { text: 'x'.repeat(100) }));
    hash.update(`${key}\n${object}\n`);
    lines.push(`{"key":"${key}","createRevision":${index + 1},"modRevision":${index + 1},"object":${object}}\n`);
  }
  lines.push(`{"end":true,"count":${count},"sha256":"${hash.digest('hex')}"}\n`);
  const path = join(await temporaryDirectory(), 'objects.jsonl');
  await writeFile(path, lines.join(''));
  return path;
}
