import { createServer } from 'node:net';
import { readOptionFile } from '../files/read-option-file.ts';
import type { ResolvedOptions } from '../options.ts';

/** Platforms on which several sockets can listen on one port and the system spreads connections over them. */
const spreadingPlatforms: readonly NodeJS.Platform[] = ['linux', 'freebsd'];

/** Returns why one thread must accept all connections. Undefined if several threads can accept them. */
export function oneConnectionThreadReason({ threads }: ResolvedOptions): string | undefined {
  if (threads === 1 || spreadingPlatforms.includes(process.platform)) return undefined;
  return 'this system does not spread the connections of a port over several threads';
}

/** Returns why the server can use only one thread, also for large requests. Undefined if it can use several. */
export async function singleThreadReason(options: ResolvedOptions): Promise<string | undefined> {
  if (options.fromSnapshot !== undefined) return 'a copy of a snapshot is served by one thread';
  if (options.enableTestApi) return 'the faults of the test API are those of one thread';
  if (options.threads === 1 && options.encryptionProviderConfigAutomaticReload) {
    return 'the encryption configuration may be changed to one with a KMS';
  }
  const file = options.encryptionProviderConfig;
  if (file === undefined) return undefined;
  const { parseEncryptionConfiguration, usesKms } = await import('../../encryption/index.ts');
  const configuration = parseEncryptionConfiguration(await readOptionFile('encryption-provider-config', file));
  // A thread would have to get the key of another thread from the KMS before it could read objects of that thread.
  return usesKms(configuration) ? 'the encryption uses a KMS' : undefined;
}

/** Rejects when another process listens on the port. A socket that shares its port would not fail. */
export async function checkPortIsFree(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
