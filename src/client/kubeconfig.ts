import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationFields, inContext } from '../codec/configuration/index.ts';
import { decodeYaml } from '../codec/yaml/index.ts';
import type { ServerAccess } from './server-access.ts';

/** What other programs do with a kubeconfig and this one does not; to pass over it would mean something else. */
const unsupported = {
  cluster: ['proxy-url'],
  user: ['exec', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'],
};

/** The first problem is the only one. Unknown fields are for other programs. */
const findings = {
  unknownField: () => {},
  wrongType: (path: string, _value: unknown, wanted: string) => {
    throw problem(path, `must be ${wanted}`);
  },
};

/**
 * The server that the current context of a kubeconfig leads to. Files that it names are read, too; relative paths start
 * at the directory of the kubeconfig. Throws RangeError with the file, the field and what is wrong with it.
 */
export function readKubeconfig(path: string): ServerAccess {
  return parseKubeconfig(contentOf(path), path);
}

/** The same for content that has been read already; `path` is where it came from. */
export function parseKubeconfig(content: Buffer, path: string): ServerAccess {
  return inContext(`kubeconfig ${path}`, () => new Kubeconfig(content, dirname(path)).access());
}

class Kubeconfig {
  readonly #directory: string;
  readonly #root: ConfigurationFields;

  constructor(content: Buffer, directory: string) {
    this.#directory = directory;
    const { value } = decodeYaml(content);
    if (value === null) throw problem('', 'must be an object');
    this.#root = new ConfigurationFields(value, findings);
  }

  access(): ServerAccess {
    const context = this.#named('contexts', 'context', required(this.#root, 'current-context'));
    const cluster = this.#named('clusters', 'cluster', required(context, 'cluster'));
    const userName = given(context, 'user');
    const user = userName === undefined ? undefined : this.#named('users', 'user', userName);
    return { ...this.#clusterAccess(cluster), ...(user && this.#userAccess(user)) };
  }

  #clusterAccess(cluster: ConfigurationFields): ServerAccess {
    refuse(cluster, unsupported.cluster);
    const insecureSkipTlsVerify = cluster.flag('insecure-skip-tls-verify') ?? false;
    const ca = this.#pem(cluster, 'certificate-authority');
    if (ca !== undefined && insecureSkipTlsVerify) {
      throw problem(cluster.path(), 'specifying a root certificates file with the insecure flag is not allowed');
    }
    if (ca !== undefined) check(cluster.path('certificate-authority'), () => new X509Certificate(ca));
    return { url: serverUrl(cluster), ca, insecureSkipTlsVerify, tlsServerName: given(cluster, 'tls-server-name') };
  }

  #userAccess(user: ConfigurationFields): Partial<ServerAccess> {
    refuse(user, unsupported.user);
    const cert = this.#pem(user, 'client-certificate');
    const key = this.#pem(user, 'client-key');
    if ((cert === undefined) !== (key === undefined)) {
      const missing = cert === undefined ? 'client-certificate' : 'client-key';
      throw problem(user.path(missing), 'client-certificate and client-key must be specified together');
    }
    if (cert !== undefined) check(user.path('client-certificate'), () => new X509Certificate(cert));
    if (key !== undefined) check(user.path('client-key'), () => createPrivateKey(key));
    const username = given(user, 'username');
    const tokenFile = given(user, 'tokenFile');
    const token = given(user, 'token');
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

  /** From the field with the data itself, in base64, or else from the file that is named. */
  #pem(fields: ConfigurationFields, name: string): string | undefined {
    const data = given(fields, `${name}-data`);
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    const file = given(fields, name);
    if (file === undefined) return undefined;
    return inContext(fields.path(name), () => contentOf(resolve(this.#directory, file)).toString());
  }
}

/** Undefined when it is absent or empty. */
function given(fields: ConfigurationFields, name: string): string | undefined {
  return fields.text(name) || undefined;
}

function required(fields: ConfigurationFields, name: string): string {
  const value = given(fields, name);
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
  // Reviews hold tokens and names: beyond this machine they must not travel in the clear.
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

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RangeError(`unable to read ${path}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
  }
}
