import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationFields, inContext } from '../codec/configuration/index.ts';
import { decodeYaml } from '../codec/yaml/index.ts';
import type { ClientCredentials, ServerAccess } from './server-access.ts';

/** Fields of a kubeconfig that are not supported. Ignoring them would change its meaning. */
const unsupported = {
  cluster: ['proxy-url'],
  user: ['exec', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'],
};

/** The first error is thrown. Unknown fields are ignored, because other programs use them. */
const findings = {
  unknownField: () => {},
  wrongType: (path: string, _value: unknown, wanted: string) => {
    throw problem(path, `must be ${wanted}`);
  },
};

/** Returns the content of a file, or throws the error of the file system. */
export type ReadFileSync = (path: string) => Buffer;

/**
 * Returns how to access the server of the current context. Reads the files that the kubeconfig names; relative paths
 * are relative to its directory. Throws a RangeError that names the file, the field and the fault.
 */
export function readKubeconfig(path: string, read?: ReadFileSync): ServerAccess {
  return parseKubeconfig(contentOf(path, read), path, read);
}

/** The credentials of all users, by their names. Contexts and clusters are not needed. Throws like `readKubeconfig`. */
export function readKubeconfigUsers(path: string, read?: ReadFileSync): ReadonlyMap<string, ClientCredentials> {
  return inContext(`kubeconfig ${path}`, () => new Kubeconfig(contentOf(path, read), dirname(path), read).users());
}

/** Parses content that was read from `path`. */
export function parseKubeconfig(content: Buffer, path: string, read?: ReadFileSync): ServerAccess {
  return inContext(`kubeconfig ${path}`, () => new Kubeconfig(content, dirname(path), read).access());
}

class Kubeconfig {
  readonly #directory: string;
  readonly #read: ReadFileSync | undefined;
  readonly #root: ConfigurationFields;

  constructor(content: Buffer, directory: string, read?: ReadFileSync) {
    this.#directory = directory;
    this.#read = read;
    const { value } = decodeYaml(content);
    if (value === null) throw problem('', 'must be an object');
    this.#root = new ConfigurationFields(value, findings);
  }

  access(): ServerAccess {
    const context = this.#named('contexts', 'context', required(this.#root, 'current-context'));
    const cluster = this.#named('clusters', 'cluster', required(context, 'cluster'));
    const userName = optionalText(context, 'user');
    const user = userName === undefined ? undefined : this.#named('users', 'user', userName);
    return { ...this.#clusterAccess(cluster), ...(user && this.#userAccess(user)) };
  }

  users(): ReadonlyMap<string, ClientCredentials> {
    const users = this.#root.objects('users').map((item) => [item.text('name'), this.#userAccess(item.object('user'))]);
    return new Map(users as [string, ClientCredentials][]);
  }

  #clusterAccess(cluster: ConfigurationFields): ServerAccess {
    refuse(cluster, unsupported.cluster);
    const insecureSkipTlsVerify = cluster.flag('insecure-skip-tls-verify') ?? false;
    const ca = this.#pem(cluster, 'certificate-authority');
    if (ca !== undefined && insecureSkipTlsVerify) {
      throw problem(cluster.path(), 'specifying a root certificates file with the insecure flag is not allowed');
    }
    if (ca !== undefined) check(cluster.path('certificate-authority'), () => new X509Certificate(ca));
    return {
      url: serverUrl(cluster),
      ca,
      insecureSkipTlsVerify,
      tlsServerName: optionalText(cluster, 'tls-server-name'),
    };
  }

  #userAccess(user: ConfigurationFields): ClientCredentials {
    refuse(user, unsupported.user);
    const cert = this.#pem(user, 'client-certificate');
    const key = this.#pem(user, 'client-key');
    if ((cert === undefined) !== (key === undefined)) {
      const missing = cert === undefined ? 'client-certificate' : 'client-key';
      throw problem(user.path(missing), 'client-certificate and client-key must be specified together');
    }
    if (cert !== undefined) check(user.path('client-certificate'), () => new X509Certificate(cert));
    if (key !== undefined) check(user.path('client-key'), () => createPrivateKey(key));
    const username = optionalText(user, 'username');
    const tokenFile = optionalText(user, 'tokenFile');
    const token = optionalText(user, 'token');
    if (username !== undefined && (token ?? tokenFile) !== undefined) {
      throw problem(user.path(), 'more than one authentication method found: a token and a user name');
    }
    return {
      cert,
      key,
      token,
      tokenFile: tokenFile && resolve(this.#directory, tokenFile),
      basic: username === undefined ? undefined : { username, password: user.text('password') },
    };
  }

  #named(list: string, kind: string, name: string): ConfigurationFields {
    const found = this.#root.objects(list).find((item) => item.text('name') === name);
    if (found === undefined) throw problem(list, `there is no ${kind} ${JSON.stringify(name)}`);
    return found.object(kind);
  }

  /** Returns the base64 data of the field, or else the content of the named file. */
  #pem(fields: ConfigurationFields, name: string): string | undefined {
    const data = optionalText(fields, `${name}-data`);
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    const file = optionalText(fields, name);
    if (file === undefined) return undefined;
    return inContext(fields.path(name), () => contentOf(resolve(this.#directory, file), this.#read).toString());
  }
}

/** Returns undefined when the field is absent or empty. */
function optionalText(fields: ConfigurationFields, name: string): string | undefined {
  return fields.text(name) || undefined;
}

function required(fields: ConfigurationFields, name: string): string {
  const value = optionalText(fields, name);
  if (value === undefined) throw problem(fields.path(name), 'Required value');
  return value;
}

function refuse(fields: ConfigurationFields, names: readonly string[]): void {
  const found = names.find((name) => fields.has(name));
  if (found !== undefined) throw problem(fields.path(found), 'not supported');
}

function serverUrl(cluster: ConfigurationFields): URL {
  const at = cluster.path('server');
  const url = URL.parse(required(cluster, 'server'));
  if (url === null || url.username !== '' || url.password !== '') throw problem(at, 'must be a URL');
  if (url.protocol === 'https:') return url;
  // Reviews contain tokens and names, so they must not leave this machine unencrypted.
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return url;
  throw problem(at, 'must use https');
}

function check(at: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw problem(at, `not a valid PEM text (${(error as Error).message})`);
  }
}

function problem(at: string, text: string): RangeError {
  return new RangeError(at === '' ? text : `${at}: ${text}`);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function contentOf(path: string, read: ReadFileSync = readFileSync): Buffer {
  try {
    return read(path);
  } catch (error) {
    throw new RangeError(`unable to read ${path}: ${(error as Error).message}`, { cause: error });
  }
}
