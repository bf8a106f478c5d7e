import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceAccountKeys } from '../../authn/index.ts';
import { readOptionFile } from '../files/read-option-file.ts';
import { writeFileAtomically } from './atomic-file.ts';

export interface ServiceAccountKeyFiles {
  /** Where the server keeps a key of its own; without it a new one is made that ends with the process. */
  readonly ownKeyFile: string | undefined;
  /** The private key that signs, instead of the server's own. */
  readonly signingKeyFile?: string | undefined;
  /** Keys whose tokens are accepted too. */
  readonly keyFiles?: readonly string[];
}

/** All keys of service account tokens, as the files have them now. Fails with a RangeError when one of them has none. */
export async function loadServiceAccountKeys(files: ServiceAccountKeyFiles): Promise<ServiceAccountKeys> {
  const { ownKeyFile, signingKeyFile, keyFiles = [] } = files;
  const [signingKey, ...contents] = await Promise.all([
    signingKeyFile === undefined
      ? ensureServiceAccountKey(ownKeyFile)
      : readOptionFile('service-account-signing-key-file', signingKeyFile),
    ...keyFiles.map((file) => readOptionFile('service-account-key-file', file)),
  ]);
  return new ServiceAccountKeys({
    signingKey,
    keyFiles: new Map(keyFiles.map((file, index) => [file, contents[index]!])),
  });
}

/** The key that signs service account tokens, in PEM form: the one in the file, or a new one that is kept there. */
async function ensureServiceAccountKey(file: string | undefined): Promise<string> {
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
