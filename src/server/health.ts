import { X509Certificate } from 'node:crypto';
import {
  autoregisterCompletionCheck,
  type HealthCheck,
  HealthChecks,
  type HealthChecksOptions,
  logCheck,
  PostStartHooks,
  pingCheck,
  servingCertificateCheck,
  shutdownCheck,
  storageChecks,
  storedObjectsCheck,
} from '../http/health/index.ts';
import type { Storage } from '../storage/index.ts';
import type { CorruptObjects } from './corrupt-objects.ts';
import type { ResolvedOptions } from './options.ts';

export interface ServerHealth {
  readonly checks: HealthChecks;
  readonly hooks: PostStartHooks;
}

export interface ServerHealthDependencies {
  readonly options: ResolvedOptions;
  readonly storage: Storage;
  /** The health checks of the encryption of storage. */
  readonly encryption: readonly HealthCheck[];
  /** The names of APIServices that have never been available, although they could be read. */
  readonly missing: () => readonly string[];
  readonly corrupt: CorruptObjects;
  /** The current serving certificate (PEM). */
  readonly servingCert: () => string;
  /** Aborts when the shutdown begins. */
  readonly shutdown: AbortSignal;
  /** Receives the outcome of every check of a listing. */
  readonly onOutcome: NonNullable<HealthChecksOptions['onOutcome']>;
  /** Post-start hooks, by the names of their health checks. */
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
}

/** Builds the health checks, in the order in which kube-apiserver lists them. */
export function serverHealth({
  options,
  storage,
  encryption,
  missing,
  corrupt,
  servingCert,
  shutdown,
  onOutcome,
  hooks,
}: ServerHealthDependencies): ServerHealth {
  const { log, livezGracePeriodMs } = options;
  const checks = new HealthChecks({
    log: (message) => log.error(message),
    endsWithHealthz: options.compatibility.endsWithHealthz,
    livezGracePeriod: livezGracePeriodMs,
    onOutcome,
  });
  checks.add(
    pingCheck,
    logCheck(() => log.flush()),
    servingCertificateCheck(expiryOf(servingCert)),
    ...storageChecks((signal) => storage.probe(signal), {
      probeWrites: (signal) => storage.probeWrites(signal),
      timeout: options.etcdHealthcheckTimeoutMs,
      writesTimeout: options.etcdReadycheckTimeoutMs,
    }),
    ...encryption,
    storedObjectsCheck(() => corrupt.summary()),
  );
  const startHooks = new PostStartHooks(checks);
  for (const [name, run] of Object.entries(hooks)) {
    startHooks.add(name, run);
    if (name === 'kube-apiserver-autoregistration') checks.add(autoregisterCompletionCheck(missing));
  }
  checks.add(shutdownCheck(shutdown));
  return { checks, hooks: startHooks };
}

/** Parses each certificate once, because the check runs often and certificates change rarely. */
function expiryOf(servingCert: () => string): () => Date {
  let read: { readonly cert: string; readonly expiry: Date } | undefined;
  return () => {
    const cert = servingCert();
    if (read?.cert !== cert) read = { cert, expiry: new Date(new X509Certificate(cert).validTo) };
    return read.expiry;
  };
}
