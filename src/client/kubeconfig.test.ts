import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, type KeyPair } from '../../test/wire/certificates.ts';
import { readKubeconfig } from './kubeconfig.ts';
import type { ServerAccess } from './server-access.ts';

let directory: string;
let pair: KeyPair;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  pair = await createAuthority('ca');
  writeFileSync(join(directory, 'ca.pem'), pair.cert);
  writeFileSync(join(directory, 'key.pem'), pair.key);
  writeFileSync(join(directory, 'none.pem'), 'none');
});

afterAll(() => rmSync(directory, { recursive: true }));

function read(content: string): ServerAccess {
  const path = join(directory, 'config');
  writeFileSync(path, content);
  return readKubeconfig(path);
}

function config(cluster: object, user: object = {}): string {
  return JSON.stringify({
    clusters: [
      { name: 'other', cluster: { server: 'https://other' } },
      { name: 'c', cluster: { server: 'https://authz.example:8443/check', ...cluster } },
    ],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  it('is parsed from YAML', () => {
    const access = read(`
apiVersion: v1
kind: Config
clusters:
- name: name-of-remote-service
  cluster:
    certificate-authority: ca.pem
    server: https://authz.example/authorize
    tls-server-name: authz
users:
- name: name-of-api-server
  user:
    client-certificate: ca.pem
    client-key: ./key.pem
current-context: webhook
contexts:
- context: {cluster: name-of-remote-service, user: name-of-api-server}
  name: webhook
`);
    expect(access).toMatchObject({ ca: pair.cert, cert: pair.cert, key: pair.key, tlsServerName: 'authz' });
    expect(access.url.href).toBe('https://authz.example/authorize');
  });

  it('may contain the data, which takes precedence over a file', () => {
    const access = read(
      config(
        { 'certificate-authority-data': base64(pair.cert), 'certificate-authority': 'none.pem' },
        { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) },
      ),
    );
    expect(access).toMatchObject({ ca: pair.cert, cert: pair.cert, key: pair.key });
    expect(access.url.href).toBe('https://authz.example:8443/check');
  });

  it.each<[cluster: object, user: object, expected: object]>([
    [{}, { token: 't' }, { token: 't' }],
    [{}, { username: 'a', password: 'b' }, { basic: { username: 'a', password: 'b' } }],
    [{ 'insecure-skip-tls-verify': true }, {}, { insecureSkipTlsVerify: true }],
  ])('may have the cluster %j and the user %j', (cluster, user, expected) => {
    expect(read(config(cluster, user))).toMatchObject(expected);
  });

  it('resolves tokenFile relative to its directory', () => {
    expect(read(config({}, { tokenFile: 'token' })).tokenFile).toBe(join(directory, 'token'));
  });

  it('needs no user', () => {
    const content = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:80' } }],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    });
    expect(read(content).url.host).toBe('127.0.0.1');
  });

  it.each<[name: string, content: string, problem: string]>([
    ['no YAML', '{', 'yaml: line 1: did not find expected node content'],
    ['no object', '[]', 'must be an object'],
    ['nothing', '', 'must be an object'],
    ['no context', '{}', 'current-context: Required value'],
    ['an unknown context', '{"current-context":"x"}', 'contexts: there is no context "x"'],
    [
      'an unknown cluster',
      '{"current-context":"x","contexts":[{"name":"x","context":{"cluster":"c"}}]}',
      'clusters: there is no cluster "c"',
    ],
    ['no cluster', '{"current-context":"x","contexts":[{"name":"x"}]}', 'contexts[0].context.cluster: Required value'],
    ['no server', config({ server: '' }), 'clusters[1].cluster.server: Required value'],
    ['a number', config({ server: 1 }), 'clusters[1].cluster.server: must be a string'],
    ['no URL', config({ server: 'authz' }), 'clusters[1].cluster.server: must be a URL'],
    ['a password in the URL', config({ server: 'https://a:b@c' }), 'clusters[1].cluster.server: must be a URL'],
    ['no TLS', config({ server: 'http://authz.example' }), 'clusters[1].cluster.server: must use https'],
    ['a proxy', config({ 'proxy-url': 'http://p' }), 'clusters[1].cluster.proxy-url: not supported'],
    ['a program', config({}, { exec: {} }), 'users[0].user.exec: not supported'],
    [
      'trust and no need of it',
      config({ 'certificate-authority': 'ca.pem', 'insecure-skip-tls-verify': true }),
      'clusters[1].cluster: specifying a root certificates file with the insecure flag is not allowed',
    ],
    [
      'a certificate alone',
      config({}, { 'client-certificate': 'ca.pem' }),
      'users[0].user.client-key: client-certificate and client-key must be specified together',
    ],
    [
      'two ways',
      config({}, { token: 'secret', username: 'a' }),
      'users[0].user: more than one authentication method found: a token and a user name',
    ],
  ])('is refused with %s', (_name, content, problem) => {
    expect(() => read(content)).toThrow(new RangeError(`kubeconfig ${join(directory, 'config')}: ${problem}`));
  });

  it('is refused with files that cannot be used', () => {
    expect(() => read(config({ 'certificate-authority': 'missing.pem' }))).toThrow(
      `kubeconfig ${join(directory, 'config')}: clusters[1].cluster.certificate-authority: unable to read ${join(directory, 'missing.pem')}: ENOENT`,
    );
    expect(() => read(config({ 'certificate-authority': 'none.pem' }))).toThrow(
      'clusters[1].cluster.certificate-authority: not a valid PEM text',
    );
    expect(() => readKubeconfig(join(directory, 'missing'))).toThrow(RangeError);
  });
});
