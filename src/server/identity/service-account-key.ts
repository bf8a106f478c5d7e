import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceAccountKeys } from '../../authn/index.ts';
import { writeFileAtomically } from '../../pki/atomic-file.ts';
import type { OptionFiles } from '../files/option-files.ts';

export interface ServiceAccountKeyFiles {
  readonly files: OptionFiles;
  /** The server's own key (PEM), if it already exists. */
  readonly ownKey?: string | undefined;
  /** The file of the server's own key. Without it a new key is generated for the lifetime of the process. */
  readonly ownKeyFile: string | undefined;
  /** Writing the file of the server's own key waits for this. */
  readonly writable?: Promise<unknown> | undefined;
  /** The private key that signs, instead of the server's own key. */
  readonly signingKeyFile?: string | undefined;
  /** Further keys whose tokens are accepted. */
  readonly keyFiles?: readonly string[];
}

/** Loads all keys of service account tokens. Rejects with a RangeError when a file contains no key. */
export async function loadServiceAccountKeys({
  files,
  ownKey,
  ownKeyFile,
  writable,
  signingKeyFile,
  keyFiles = [],
}: ServiceAccountKeyFiles): Promise<ServiceAccountKeys> {
  const [signingKey, ...contents] = await Promise.all([
    signingKeyFile === undefined
      ? (ownKey ?? ensureServiceAccountKey(ownKeyFile, writable))
      : files.read('service-account-signing-key-file', signingKeyFile),
    ...keyFiles.map((file) => files.read('service-account-key-file', file)),
  ]);
  return new ServiceAccountKeys({
    signingKey,
    keyFiles: new Map(keyFiles.map((file, index) => [file, contents[index]!])),
  });
}

/** Loads the key that signs service account tokens (PEM), or generates and stores a new one. */
async function ensureServiceAccountKey(file: string | undefined, writable?: Promise<unknown>): Promise<string> {
  if (file === undefined) return newKey();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = newKey();
  await writable;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, key, 0o600);
  return key;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
