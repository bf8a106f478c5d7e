import { type ClientCredentials, type ReadFileSync, readKubeconfigUsers } from '../../client/index.ts';
import { WebhookClients } from '../../client/webhook/index.ts';
import type { Meter } from '../../meta/meter.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { serviceTarget } from '../service-target.ts';

/** A WebhookAdmissionConfiguration. */
export interface WebhookConfiguration {
  /** The path of a kubeconfig whose users are named after the hosts of webhooks. */
  readonly kubeConfigFile?: string | undefined;
}

interface WebhookDependencies {
  readonly objects: ObjectReader;
  /** Counts the calls. */
  readonly meter?: Meter | undefined;
  /** Reads the kubeconfig and the files that it names. */
  readonly read?: ReadFileSync | undefined;
  /** Abort it to end the calls. */
  readonly stop: AbortSignal;
}

/** The clients of admission webhooks. Throws a RangeError when the kubeconfig is not usable. */
export function admissionWebhookClients(
  { kubeConfigFile }: WebhookConfiguration,
  { objects, meter, read, stop }: WebhookDependencies,
): WebhookClients {
  const users = kubeConfigFile === undefined ? new Map() : readKubeconfigUsers(kubeConfigFile, read);
  const clients = new WebhookClients({
    services: { resolve: (service) => serviceTarget(objects, service) },
    credentialsFor: (host) => credentialsFor(users, host),
    meter,
    stop,
  });
  stop.addEventListener('abort', () => clients.close(), { once: true });
  return clients;
}

/**
 * Returns the user for a host with its port: the user of that name, or else the most specific one whose name has an
 * asterisk in place of the first labels. The port of HTTPS may be omitted in names.
 */
export function credentialsFor(
  users: ReadonlyMap<string, ClientCredentials>,
  host: string,
): ClientCredentials | undefined {
  const names = [host, ...(host.endsWith(':443') ? [host.slice(0, -':443'.length)] : [])].flatMap(namesFor);
  const name = names.find((candidate) => users.has(candidate));
  return name === undefined ? undefined : users.get(name);
}

function namesFor(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_label, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
