import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';

/** The key that signs service account tokens, in PEM form: the one in the file, or a new one that is kept there. */
export async function ensureServiceAccountKey(file: string | undefined): Promise<string> {
  if (file === undefined) return newKey();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = newKey();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, key, 0o600);
  return key;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
