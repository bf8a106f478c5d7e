import { ApiError, type Informer, untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';

const secretsType = { group: '', version: 'v1', resource: 'secrets' };
const accountsType = { group: '', version: 'v1', resource: 'serviceaccounts' };
const tokenType = 'kubernetes.io/service-account-token';
const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';

interface Secret extends ResourceObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface ServiceAccount extends ResourceObject {
  readonly secrets?: readonly { readonly name?: string }[];
}

/** The subject of a token in a secret. */
export interface SecretTokenSubject {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

export interface ServiceAccountTokenControllerOptions {
  /** The CA bundle (PEM) by which clients in the cluster verify the server. */
  readonly caCert: string;
  readonly sign: (subject: SecretTokenSubject) => string;
}

/** Adds tokens to secrets of type service-account-token, and deletes the secrets of deleted accounts. */
export function serviceAccountTokenController(options: ServiceAccountTokenControllerOptions): Controller {
  return {
    name: 'serviceaccount-token-controller',
    aliases: ['serviceaccount-token'],

    async run(tools, signal) {
      const { informers } = tools;
      const secrets = informers.informer<Secret>(secretsType, { selectors: { fieldSelector: `type=${tokenType}` } });
      const accounts = informers.informer<ServiceAccount>(accountsType);
      secrets.addIndex('account', (secret) => [accountKey(secret)]);
      const work = new TokenSecrets(options, tools, accounts);
      const queue = tools.queue(async (key) => {
        const [namespace = '', name = ''] = key.split('/');
        const secret = secrets.get(namespace, name);
        if (secret !== undefined) await work.keep(secret);
      });
      const forgetQueue = tools.queue((key) => work.forget(key));
      await Promise.all([secrets.synced, accounts.synced]);
      const enqueue = ({ metadata }: Secret): void => queue.add(`${metadata.namespace}/${metadata.name}`);
      const enqueueAll = ({ metadata }: ServiceAccount): void => {
        secrets.byIndex('account', `${metadata.namespace}/${metadata.name}`).forEach(enqueue);
      };
      secrets.addHandler({
        added: enqueue,
        updated: enqueue,
        deleted: (secret) => forgetQueue.add(`${accountKey(secret)}/${secret.metadata.name}`),
      });
      accounts.addHandler({ added: enqueueAll, deleted: enqueueAll });
      await untilAborted(signal);
    },
  };
}

function accountKey({ metadata }: Secret): string {
  return `${metadata.namespace}/${metadata.annotations?.[nameAnnotation] ?? ''}`;
}

class TokenSecrets {
  readonly #options: ServiceAccountTokenControllerOptions;
  readonly #tools: ControllerTools;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #caCert: string;

  constructor(
    options: ServiceAccountTokenControllerOptions,
    tools: ControllerTools,
    accounts: Informer<ServiceAccount>,
  ) {
    this.#options = options;
    this.#tools = tools;
    this.#accounts = accounts;
    this.#caCert = Buffer.from(options.caCert).toString('base64');
  }

  async keep(secret: Secret): Promise<void> {
    if (secret.metadata.deletionTimestamp !== undefined) return;
    const account = await this.#accountOf(secret);
    if (account === undefined) await this.#delete(secret);
    else await this.#fill(secret, account);
  }

  /** Removes a deleted secret from the list of its account. The key is `namespace/account/secret`. */
  async forget(key: string): Promise<void> {
    const [namespace = '', accountName = '', name = ''] = key.split('/');
    const listed = this.#accounts.get(namespace, accountName)?.secrets ?? [];
    if (!listed.some((reference) => reference.name === name)) return;
    const client = this.#tools.client.resource<ServiceAccount>(accountsType, namespace);
    const account = await client.get(accountName).catch(ignoreNotFound);
    if (account === undefined) return;
    const { resourceVersion } = account.metadata;
    const secrets = account.secrets?.filter((reference) => reference.name !== name);
    await client.patch(accountName, { metadata: { resourceVersion }, secrets }).catch(ignoreNotFound);
  }

  async #accountOf({ metadata }: Secret): Promise<ServiceAccount | undefined> {
    const { namespace = '', annotations = {} } = metadata;
    const name = annotations[nameAnnotation] ?? '';
    const uid = annotations[uidAnnotation] || undefined;
    const isOwner = (account: ServiceAccount | undefined): boolean =>
      account !== undefined && (uid === undefined || account.metadata.uid === uid);
    const known = this.#accounts.get(namespace, name);
    if (isOwner(known)) return known;
    // The informer may lag behind a new account, whose secret must not be deleted.
    const account = await this.#tools.client
      .resource<ServiceAccount>(accountsType, namespace)
      .get(name)
      .catch(ignoreNotFound);
    return isOwner(account) ? account : undefined;
  }

  async #fill(secret: Secret, account: ServiceAccount): Promise<void> {
    const { namespace = '', name = '', resourceVersion } = secret.metadata;
    const { caCert, sign } = this.#options;
    const owner = { name: account.metadata.name ?? '', uid: account.metadata.uid ?? '' };
    const { data: held = {} } = secret;
    const data: Record<string, string> = {};
    if (caCert !== '' && held['ca.crt'] !== this.#caCert) data['ca.crt'] = this.#caCert;
    if (!held.namespace) data.namespace = Buffer.from(namespace).toString('base64');
    if (!held.token) {
      data.token = Buffer.from(sign({ namespace, secret: name, account: owner })).toString('base64');
    }
    if (Object.keys(data).length === 0) return;
    const annotations = { [nameAnnotation]: owner.name, [uidAnnotation]: owner.uid };
    const client = this.#tools.client.resource<Secret>(secretsType, namespace);
    await client.patch(name, { metadata: { resourceVersion, annotations }, data }).catch(ignoreNotFoundOrConflict);
  }

  async #delete({ metadata: { namespace = '', name = '', uid = '', resourceVersion = '' } }: Secret): Promise<void> {
    const client = this.#tools.client.resource<Secret>(secretsType, namespace);
    await client.delete(name, {}, { preconditions: { uid, resourceVersion } }).catch(ignoreNotFoundOrConflict);
  }
}

/** Ignores conflicts and deleted objects: the event of the other change leads to another attempt. */
function ignoreNotFoundOrConflict(error: unknown): undefined {
  if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409)) throw error;
}
