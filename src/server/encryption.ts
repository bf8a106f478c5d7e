import { hostname } from 'node:os';
import type { BuiltInTypes, Encryption, EncryptionConfiguration } from '../encryption/index.ts';
import { type HealthCheck, healthEndpoints } from '../http/health/index.ts';
import type { Meter } from '../meta/meter.ts';
import { builtInResources, optionalResources } from '../resources/index.ts';
import { type Storage, StorageError, TransformedStorage, type ValueTransformer } from '../storage/index.ts';
import type { OptionFiles } from './files/option-files.ts';
import { readOptionFile } from './files/read-option-file.ts';
import { etcdRoot } from './open-etcd.ts';
import type { ResolvedOptions } from './options.ts';

/** How long after a failure a new configuration is tried again, in milliseconds. */
const retryInterval = 3_000;

export interface ServerEncryption {
  /** The storage, with objects encrypted as configured. */
  readonly storage: Storage;
  readonly checks: readonly HealthCheck[];
  /** Post-start hooks by name. */
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
}

/**
 * Encrypts values that are written to the storage. Rejects with a RangeError when the configuration file is invalid.
 */
export async function encryptedStorage(
  storage: Storage,
  { options, files, meter }: { readonly options: ResolvedOptions; readonly files: OptionFiles; readonly meter: Meter },
  signal: AbortSignal,
): Promise<ServerEncryption> {
  const { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: mayReload, log } = options;
  if (file === undefined) return { storage, checks: [], hooks: {} };
  const content = await files.read('encryption-provider-config', file);
  // Loaded only when objects are encrypted.
  const { Encryption, parseEncryptionConfiguration, usesKms } = await import('../encryption/index.ts');
  const encryption = await Encryption.open(parseEncryptionConfiguration(content), {
    types: builtInTypes(),
    root: options.storage === 'etcd' ? etcdRoot(options) : undefined,
    log,
    meter,
    server: hostname(),
    onReadable: (prefixes) => {
      encrypted.endWatches(prefixes, new StorageError('Unavailable', 'the keys for encrypted objects have changed'));
    },
    signal,
  });
  const encrypted = new TransformedStorage(storage, {
    toStored: (value, key) => encryption.toStored(value, key),
    fromStored: (stored, key) => {
      // Another thread may have written the value with a key that this thread has not loaded yet.
      files.catchUp();
      return encryption.fromStored(stored, key);
    },
  });
  const check: HealthCheck = { name: 'kms-providers', endpoints: healthEndpoints, run: () => encryption.check() };
  const checks = encryption.usesKms || mayReload ? [check] : [];
  if (!mayReload) return { storage: encrypted, checks, hooks: {} };
  const reload = reloader({ encryption, file, log: files.isReader ? log : undefined, signal });
  let known = content;
  const follow = (): Promise<void> =>
    files.follow([file], {
      onContents: ([next]) => {
        if (next.equals(known)) return;
        const configuration = parseEncryptionConfiguration(next);
        if (options.passesLargeRequests && usesKms(configuration)) {
          throw new RangeError('a key management service needs a server of one thread: restart the server to use it');
        }
        known = next;
        reload(configuration);
      },
      onError: (err) => log.error('encryption configuration not reloaded', { file, err }),
      signal,
    });
  return { storage: encrypted, checks, hooks: { 'start-encryption-provider-config-automatic-reload': follow } };
}

/**
 * Encrypts and decrypts values as configured, without a server. It is not reloaded. Undefined without a configuration.
 * Values in etcd are bound to their keys there, which start with the prefix, if it is given.
 */
export async function valueEncryption(
  {
    encryptionProviderConfig: file,
    etcdPrefix,
    log,
  }: Pick<ResolvedOptions, 'encryptionProviderConfig' | 'log'> & { readonly etcdPrefix?: string | undefined },
  signal: AbortSignal,
): Promise<ValueTransformer | undefined> {
  if (file === undefined) return undefined;
  const content = await readOptionFile('encryption-provider-config', file);
  const { Encryption, parseEncryptionConfiguration } = await import('../encryption/index.ts');
  const root = etcdPrefix === undefined ? undefined : etcdRoot({ etcdPrefix });
  const options = { types: builtInTypes(), root, log, onReadable: () => {}, signal };
  return Encryption.open(parseEncryptionConfiguration(content), options);
}

/** Retries each new configuration until it works or a newer one replaces it. */
function reloader({
  encryption,
  file,
  log,
  signal,
}: {
  readonly encryption: Encryption;
  readonly file: string;
  /** Undefined if another thread logs the same messages. */
  readonly log: ResolvedOptions['log'] | undefined;
  readonly signal: AbortSignal;
}): (configuration: EncryptionConfiguration) => void {
  let superseded = new AbortController();
  let problem = '';
  const attempt = async (configuration: EncryptionConfiguration, ended: AbortSignal): Promise<void> => {
    try {
      await encryption.replace(configuration, ended);
      log?.info('encryption configuration reloaded', { file });
    } catch (err) {
      if (ended.aborted) return;
      const { message } = err as Error;
      if (message !== problem) log?.error('encryption configuration not reloaded', { file, err });
      problem = message;
      setTimeout(() => void (ended.aborted || attempt(configuration, ended)), retryInterval).unref();
    }
  };
  return (configuration) => {
    superseded.abort();
    superseded = new AbortController();
    problem = '';
    void attempt(configuration, AbortSignal.any([signal, superseded.signal]));
  };
}

/** Returns the types of the server by the part of their storage keys that names them. */
function builtInTypes(): BuiltInTypes {
  return new Map(
    [...builtInResources, ...optionalResources].flatMap(({ resource, storage }) =>
      storage === undefined ? [] : [[storage.keyPrefix, { group: storage.group, resource }]],
    ),
  );
}
