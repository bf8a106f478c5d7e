import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { decodeYaml } from '../codec/yaml/index.ts';
import type { ServerAccess } from './server-access.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What other programs do with a kubeconfig and this one does not; to pass over it would mean something else. */
const unsupported = {
  cluster: ['proxy-url'],
  user: ['exec', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'],
};

/**
 * The server that the current context of a kubeconfig leads to. Files that it names are read, too; relative paths start
 * at the directory of the kubeconfig. Throws RangeError with the file, the field and what is wrong with it.
 */
export function readKubeconfig(path: string): ServerAccess {
  return parseKubeconfig(contentOf(path, ''), path);
}

/** The same for content that has been read already; `path` is where it came from. */
export function parseKubeconfig(content: Buffer, path: string): ServerAccess {
  return new Kubeconfig(content, path).access();
}

class Kubeconfig {
  readonly #path: string;
  readonly #root: Fields;

  constructor(content: Buffer, path: string) {
    this.#path = path;
    let value: unknown;
    try {
      ({ value } = decodeYaml(content));
    } catch (error) {
      throw this.#problem('', (error as Error).message);
    }
    if (!isFields(value)) throw this.#problem('', 'must be an object');
    this.#root = value;
  }

  access(): ServerAccess {
    const name = this.#text(this.#root, 'current-context', 'current-context');
    if (name === undefined) throw this.#problem('current-context', 'Required value');
    const context = this.#named('contexts', 'context', name);
    const clusterName = this.#text(context.fields, 'cluster', `${context.at}.cluster`);
    if (clusterName === undefined) throw this.#problem(`${context.at}.cluster`, 'Required value');
    const cluster = this.#named('clusters', 'cluster', clusterName);
    const userName = this.#text(context.fields, 'user', `${context.at}.user`);
    const user = userName === undefined ? undefined : this.#named('users', 'user', userName);
    return { ...this.#clusterAccess(cluster), ...(user && this.#userAccess(user)) };
  }

  #clusterAccess({ fields, at }: Section): ServerAccess {
    this.#refuse(fields, at, unsupported.cluster);
    const insecureSkipTlsVerify = this.#flag(fields, 'insecure-skip-tls-verify', `${at}.insecure-skip-tls-verify`);
    const ca = this.#pem(fields, 'certificate-authority', at);
    if (ca !== undefined && insecureSkipTlsVerify) {
      throw this.#problem(at, 'specifying a root certificates file with the insecure flag is not allowed');
    }
    if (ca !== undefined) this.#check(`${at}.certificate-authority`, () => new X509Certificate(ca));
    return {
      url: this.#url(fields, `${at}.server`),
      ca,
      insecureSkipTlsVerify,
      tlsServerName: this.#text(fields, 'tls-server-name', `${at}.tls-server-name`),
    };
  }

  #userAccess({ fields, at }: Section): Partial<ServerAccess> {
    this.#refuse(fields, at, unsupported.user);
    const cert = this.#pem(fields, 'client-certificate', at);
    const key = this.#pem(fields, 'client-key', at);
    if ((cert === undefined) !== (key === undefined)) {
      const missing = cert === undefined ? 'client-certificate' : 'client-key';
      throw this.#problem(`${at}.${missing}`, 'client-certificate and client-key must be specified together');
    }
    if (cert !== undefined) this.#check(`${at}.client-certificate`, () => new X509Certificate(cert));
    if (key !== undefined) this.#check(`${at}.client-key`, () => createPrivateKey(key));
    const username = this.#text(fields, 'username', `${at}.username`);
    const tokenFile = this.#text(fields, 'tokenFile', `${at}.tokenFile`);
    const token = this.#text(fields, 'token', `${at}.token`);
    if (username !== undefined && (token ?? tokenFile) !== undefined) {
      throw this.#problem(at, 'more than one authentication method found: a token and a user name');
    }
    return {
      cert,
      key,
      token,
      tokenFile: tokenFile && resolve(dirname(this.#path), tokenFile),
      basic: username === undefined ? undefined : { username, password: this.#text(fields, 'password', at) ?? '' },
    };
  }

  #url(fields: Fields, at: string): URL {
    const text = this.#text(fields, 'server', at);
    if (text === undefined) throw this.#problem(at, 'Required value');
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.password !== '') throw this.#problem(at, 'must be a URL');
    if (url.protocol === 'https:') return url;
    // Reviews hold tokens and names: beyond this machine they must not travel in the clear.
    if (url.protocol === 'http:' && isLoopback(url.hostname)) return url;
    throw this.#problem(at, 'must use https');
  }

  #named(list: string, kind: string, name: string): Section {
    const items = this.#root[list];
    const index = Array.isArray(items) ? items.findIndex((item) => isFields(item) && item.name === name) : -1;
    if (index === -1) throw this.#problem(list, `there is no ${kind} ${JSON.stringify(name)}`);
    const at = `${list}[${index}].${kind}`;
    const fields = (items as Fields[])[index]![kind] ?? {};
    if (!isFields(fields)) throw this.#problem(at, 'must be an object');
    return { fields, at };
  }

  /** From the field with the data itself, in base64, or else from the file that is named. */
  #pem(fields: Fields, name: string, at: string): string | undefined {
    const data = this.#text(fields, `${name}-data`, `${at}.${name}-data`);
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    const file = this.#text(fields, name, `${at}.${name}`);
    if (file === undefined) return undefined;
    const path = resolve(dirname(this.#path), file);
    return contentOf(path, `kubeconfig ${this.#path}: ${at}.${name}: `).toString();
  }

  /** Undefined when it is absent or empty. */
  #text(fields: Fields, name: string, at: string): string | undefined {
    const value = fields[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.#problem(at, 'must be a string');
    return value;
  }

  #flag(fields: Fields, name: string, at: string): boolean {
    const value = fields[name] ?? false;
    if (typeof value !== 'boolean') throw this.#problem(at, 'must be true or false');
    return value;
  }

  #refuse(fields: Fields, at: string, names: readonly string[]): void {
    for (const name of names) {
      if (fields[name] !== undefined && fields[name] !== null) throw this.#problem(`${at}.${name}`, 'not supported');
    }
  }

  #check(at: string, read: () => unknown): void {
    try {
      read();
    } catch (error) {
      throw this.#problem(at, `not a valid PEM text (${(error as Error).message})`);
    }
  }

  #problem(field: string, problem: string): RangeError {
    return new RangeError(`kubeconfig ${this.#path}: ${field === '' ? '' : `${field}: `}${problem}`);
  }
}

interface Section {
  readonly fields: Fields;
  /** Where it stands. */
  readonly at: string;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function contentOf(path: string, context: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RangeError(`${context}unable to read ${path}: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
}
