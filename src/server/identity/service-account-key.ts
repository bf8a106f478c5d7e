import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceAccountKeys } from '../../authn/index.ts';
import { writeFileAtomically } from '../../pki/atomic-file.ts';
import { readOptionFile } from '../files/read-option-file.ts';

export interface ServiceAccountKeyFiles {
  /** The server's own key (PEM), if it has been made already. */
  readonly ownKey?: string | undefined;
  /** The file of the server's own key. Without it a new key is generated for the lifetime of the process. */
  readonly ownKeyFile: string | undefined;
  /** The private key that signs, instead of the server's own. */
  readonly signingKeyFile?: string | undefined;
  /** Further keys whose tokens are accepted. */
  readonly keyFiles?: readonly string[];
}

/** Loads all keys of service account tokens. Rejects with a RangeError when a file contains no key. */
export async function loadServiceAccountKeys(files: ServiceAccountKeyFiles): Promise<ServiceAccountKeys> {
  const { ownKey, ownKeyFile, signingKeyFile, keyFiles = [] } = files;
  const [signingKey, ...contents] = await Promise.all([
    signingKeyFile === undefined
      ? (ownKey ?? ensureServiceAccountKey(ownKeyFile))
      : readOptionFile('service-account-signing-key-file', signingKeyFile),
    ...keyFiles.map((file) => readOptionFile('service-account-key-file', file)),
  ]);
  return new ServiceAccountKeys({
    signingKey,
    keyFiles: new Map(keyFiles.map((file, index) => [file, contents[index]!])),
  });
}

/** Loads the key that signs service account tokens (PEM), or generates and stores a new one. */
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
