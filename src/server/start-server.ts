import { join, resolve } from 'node:path';
import { noMeter } from '../meta/meter.ts';
import { MetricsRegistry } from '../metrics/index.ts';
import type { ResourceDefinition } from '../registry/index.ts';
import { allowPrivileged, builtInResources, optionalResources } from '../resources/index.ts';
import { createMemoryStorage, openEmbeddedStorage, type Storage, TransformedStorage } from '../storage/index.ts';
import { encryptedStorage } from './encryption.ts';
import { prepareDataDirectory } from './files/data-directory.ts';
import { filesOnDisk, type OptionFiles } from './files/option-files.ts';
import { KeyMaterial } from './key-material.ts';
import { openEtcd, openEtcdFrom } from './open-etcd.ts';
import { type ResolvedOptions, resolveOptions, type ServerOptions } from './options.ts';
import { type RunningServer, type RunOptions, runServer } from './run-server.ts';
import { applyRuntimeConfig } from './runtime-config.ts';
import type { Server } from './server.ts';
import type { StartInternals } from './server-components.ts';
import { openSnapshotCopy, serverDirectory } from './snapshot-copy.ts';
import { checkStorageVersionApi } from './stored-resources.ts';
import type { AdditionalThread } from './threads/additional-thread.ts';
import type { ServingThread, ThreadStart } from './threads/thread-protocol.ts';

/**
 * Starts a server and resolves when it is ready. A process can run any number of servers. Rejects with a RangeError for
 * invalid options, with a StorageError of code `InUse` when another server uses the data directory, and with an Error
 * when other users can write the directory or read its keys.
 */
export function startServer(options: ServerOptions = {}): Promise<Server> {
  return startServerOn(openStorage, options);
}

const anonymousIsForbidden =
  'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. ' +
  'You should use a different authorizer';

type OpenStorage = (options: ResolvedOptions, dataDir: string | undefined) => Promise<Storage>;

/** Starts an additional thread of a running server. */
export async function startAdditionalThread({
  start,
  additionalThread,
  log,
  fail,
}: AdditionalThreadOptions): Promise<ServingThread> {
  const resolved = resolveOptions({ ...start.options, log });
  const { dataDir, keys } = start;
  const { files } = additionalThread;
  const storage = await openSharedStorage(start, resolved, fail);
  const material = KeyMaterial.load(resolved, { dataDir, files, generated: keys });
  const definitions = servedDefinitions(resolved);
  const { thread } = await serveFrom({
    storage,
    material,
    resolved,
    definitions,
    dataDir,
    files,
    internals: {},
    additionalThread,
  });
  return thread;
}

interface AdditionalThreadOptions {
  readonly start: ThreadStart;
  readonly additionalThread: AdditionalThread;
  readonly log: ResolvedOptions['log'];
  /** Called when the storage has failed. */
  readonly fail: (error: Error) => void;
}

async function openSharedStorage(
  { store }: ThreadStart,
  options: ResolvedOptions,
  fail: (error: Error) => void,
): Promise<Storage> {
  // The first thread has locked the data directory.
  if (store === undefined) return openEtcd(options);
  const { connectStorage } = await import('../storage/embedded/shared-store.ts');
  return connectStorage(store, fail);
}

function servedDefinitions(resolved: ResolvedOptions): ResourceDefinition[] {
  const byDefault = resolved.compatibility.allowPrivileged ? allowPrivileged(builtInResources) : builtInResources;
  const available = { byDefault, onRequest: optionalResources };
  return applyRuntimeConfig(available, resolved.runtimeConfig);
}

/** Like `startServer`, with the storage that the function opens. The server closes it. */
export async function startServerOn(
  open: OpenStorage,
  options: ServerOptions,
  internals: StartInternals = {},
): Promise<Server> {
  const resolved = await withUsableThreads(resolveOptions(options));
  if (resolved.resetsAnonymous) resolved.log.info(anonymousIsForbidden);
  const definitions = servedDefinitions(resolved);
  checkStorageVersionApi(definitions, resolved);
  const directory = await serverDirectory(resolved);
  try {
    const dataDir = directory.path === undefined ? undefined : resolve(directory.path);
    if (dataDir !== undefined) await prepareDataDirectory(dataDir);
    const { files, opening } = resolved.passesLargeRequests
      ? (await import('./threads/open-threads.ts')).openThreads({ given: options, options: resolved, dataDir, open })
      : { files: filesOnDisk, opening: open(resolved, dataDir).then((storage) => ({ storage })) };
    // Reads files while the store is opened. Writes wait for its lock, which protects the whole directory.
    const loadMaterial = async (): Promise<KeyMaterial> =>
      internals.material?.copyFor(resolved) ?? KeyMaterial.load(resolved, { dataDir, files, writable: opening });
    const material = loadMaterial();
    const [opened] = await Promise.allSettled([opening, material]);
    if (opened.status === 'rejected') throw opened.reason;
    const { server } = await serveFrom({ ...opened.value, material, resolved, definitions, dataDir, files, internals });
    const stop = async (): Promise<void> => {
      await server.stop();
      await directory.remove();
    };
    return { ...server, stop };
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

interface ServeOptions
  extends Pick<RunOptions, 'definitions' | 'dataDir' | 'internals' | 'threads' | 'failed' | 'additionalThread'> {
  readonly storage: Storage;
  readonly material: Promise<KeyMaterial>;
  readonly resolved: ResolvedOptions;
  readonly files: OptionFiles;
}

/** Loaded only for servers with several threads. */
async function withUsableThreads(options: ResolvedOptions): Promise<ResolvedOptions> {
  if (!options.passesLargeRequests) return options;
  const { oneConnectionThreadReason, singleThreadReason } = await import('./threads/usable-threads.ts');
  const single = await singleThreadReason(options);
  const reason = single ?? oneConnectionThreadReason(options);
  if (reason === undefined) return options;
  if (!options.startsThreadsOnDemand) options.log.info('the server uses one thread', { reason });
  return { ...options, threads: 1, passesLargeRequests: single === undefined };
}

async function serveFrom(serving: ServeOptions): Promise<RunningServer> {
  const { storage, resolved, files } = serving;
  const stopping = new AbortController();
  try {
    const material = await serving.material;
    const registry = resolved.enableMetrics ? new MetricsRegistry() : undefined;
    const meter = registry ?? noMeter;
    const encrypted = await encryptedStorage(storage, { options: resolved, files, meter }, stopping.signal);
    const encryption = { ...encrypted, storage: await inStoredLayout(encrypted.storage, resolved) };
    return await runServer({ ...serving, options: resolved, store: storage, encryption, material, registry, stopping });
  } catch (error) {
    stopping.abort();
    await storage.close();
    throw error;
  }
}

/** Opens the storage that the options select. */
export function openStorage(options: ResolvedOptions, dataDir: string | undefined): Promise<Storage> {
  const { storage, fromSnapshot, encryptionProviderConfig } = options;
  if (fromSnapshot !== undefined) return openSnapshotCopy(options, dataDir);
  if (storage === 'memory') return Promise.resolve(createMemoryStorage());
  if (storage === 'etcd') return openEtcdFrom(dataDir!, options);
  // Plaintext that was written before encryption must not stay in the file.
  const overwriteDeleted = encryptionProviderConfig !== undefined;
  return openEmbeddedStorage({ directory: join(dataDir!, 'store'), overwriteDeleted });
}

/** In etcd, objects are stored in the format of kube-apiserver. Other stores use the format of the registry. */
async function inStoredLayout(storage: Storage, options: ResolvedOptions): Promise<Storage> {
  if (options.storage !== 'etcd') return storage;
  const { kubernetesLayout } = await import('../kubernetes-layout/index.ts');
  return new TransformedStorage(storage, kubernetesLayout(options.storageMediaType));
}
