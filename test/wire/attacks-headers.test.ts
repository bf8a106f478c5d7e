import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/http/listener/raw-frames.conformance.ts';
import { TestApi } from './api.ts';
import { createAuthority, issueClient, type KeyPair } from './certificates.ts';
import { sendStream } from './raw-http2.ts';
import { bodyOf, responsesTo, statusesOf } from './raw-socket.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

let api: TestApi;
let directory: string;
const pairs: Record<string, KeyPair | undefined> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-headers-'));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const [clients, proxies] = await Promise.all(['clients', 'proxies'].map((name) => createAuthority(name)));
  pairs.jane = await issueClient(clients!, 'jane');
  pairs.namesake = await issueClient(clients!, 'proxy');
  pairs.proxy = await issueClient(proxies!, 'proxy', ['system:masters']);
  pairs.other = await issueClient(proxies!, 'other', ['system:masters']);
  pairs.stranger = await issueClient(await createAuthority('proxies'), 'proxy', ['system:masters']);
  api = await TestApi.start({
    anonymousAuth: true,
    clientCaFile: await file('clients.crt', clients!.cert),
    requestheaderClientCaFile: await file('proxies.crt', proxies!.cert),
    requestheaderAllowedNames: ['proxy'],
    tokenAuthFile: await file('tokens.csv', 'alices,alice,1\nbobs,bob,2,dev\nadmins,admin,3,system:masters\n'),
  });
  await api.post(`${rbac}/clusterroles`, {
    metadata: { name: 'actor' },
    rules: [{ verbs: ['impersonate'], apiGroups: [''], resources: ['users', 'groups'], resourceNames: ['bob', 'dev'] }],
  });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'actor' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'actor' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
  });
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

type Reply = { status: number; text: string };

/** Returns the user and groups of the response, or the status and the rejected user. */
function described({ status, text }: Reply): string {
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  if (status >= 300) return `${status} ${/User "[^"]*"/.exec(body.message ?? '')?.[0] ?? ''}`.trim();
  const { username, groups } = body.status.userInfo;
  return `${username} ${groups.filter((group: string) => group !== 'system:authenticated')}`.trim();
}

async function overHttp1(pair: KeyPair | undefined, lines: readonly string[]): Promise<string> {
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', 'Content-Type: application/json'];
  const bytes = [...head, 'Content-Length: 2', ...lines, '', '{}'].join('\r\n');
  const response = await responsesTo(api, bytes, { ...pair });
  return described({ status: statusesOf(response)[0]!, text: bodyOf(response) });
}

async function overHttp2(pair: KeyPair | undefined, lines: readonly string[]): Promise<string> {
  const fields = lines.map((line): Field => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  const head: Field[] = [
    [':method', 'POST'],
    [':path', path],
    [':scheme', 'https'],
    [':authority', 'x'],
    ['content-type', 'application/json'],
  ];
  const { text } = await sendStream(api, { fields: [...head, ...fields], body: '{}' }, { ...pair });
  const { code = 201 } = JSON.parse(text);
  return described({ status: code, text });
}

type Case = [what: string, who: string, lines: string[], expected: string];
const anonymous = '403 User "system:anonymous"';

describe.each([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
])('over %s', (_protocol, send) => {
  it.each<Case>([
    ['nobody', '', ['X-Remote-User: admin', 'X-Remote-Group: system:masters'], anonymous],
    ['a user of our own', 'jane', ['X-Remote-User: admin', 'X-Remote-Group: system:masters'], 'jane'],
    ['a user of the name of a proxy', 'namesake', ['X-Remote-User: admin', 'X-Remote-Group: system:masters'], 'proxy'],
    ['a proxy of another name', 'other', ['X-Remote-User: admin'], '401'],
    ['a proxy of another CA', 'stranger', ['X-Remote-User: admin'], '401'],
    ['a proxy', 'proxy', ['X-Remote-User: carl', 'X-Remote-Group: dev', 'X-Remote-Group: ops'], 'carl dev,ops'],
    ['a proxy in odd letters', 'proxy', ['x-rEMOTE-uSER: carl', 'X-REMOTE-GROUP: dev'], 'carl dev'],
    ['a proxy twice', 'proxy', ['X-Remote-User: carl', 'X-Remote-User: admin'], 'carl'],
    ['a proxy with a list', 'proxy', ['X-Remote-User: carl', 'X-Remote-Group: dev,ops'], 'carl dev,ops'],
    ['a proxy that says nobody', 'proxy', [], '401'],
    ['a proxy that says an empty name', 'proxy', ['X-Remote-User:', 'X-Remote-Group: system:masters'], '401'],
    ['a proxy with an underscore', 'proxy', ['X_Remote_User: admin'], '401'],
    [
      'a proxy of another name with a token',
      'other',
      ['X-Remote-User: admin', 'Authorization: Bearer bobs'],
      'bob dev',
    ],
    ['a token beside the headers', '', ['X-Remote-User: admin', 'Authorization: Bearer alices'], 'alice'],
  ])('the headers of a proxy: %s', async (_what, who, lines, expected) => {
    expect(await send(pairs[who], lines)).toBe(expected);
  });

  const legacy = '403 User "jane"';
  it.each<Case>([
    ['nobody', '', ['Impersonate-User: bob'], anonymous],
    ['who may', 'jane', ['Impersonate-User: bob', 'Impersonate-Group: dev'], 'bob dev'],
    ['in odd letters', 'jane', ['iMPERSONATE-uSER: bob'], 'bob'],
    ['in odd letters, somebody else', 'jane', ['iMPERSONATE-uSER: admin'], legacy],
    ['with a bad token', '', ['Impersonate-User: bob', 'Authorization: Bearer wrong'], '401'],
    [
      'with the token of somebody who may not',
      '',
      ['Impersonate-User: bob', 'Authorization: Bearer alices'],
      '403 User "alice"',
    ],
    ['twice, the allowed one first', 'jane', ['Impersonate-User: bob', 'Impersonate-User: admin'], 'bob'],
    ['twice, the allowed one last', 'jane', ['Impersonate-User: admin', 'Impersonate-User: bob'], legacy],
    [
      'and a group more',
      'jane',
      ['Impersonate-User: bob', 'Impersonate-Group: dev', 'Impersonate-Group: system:masters'],
      legacy,
    ],
    ['and a list of groups', 'jane', ['Impersonate-User: bob', 'Impersonate-Group: dev,system:masters'], legacy],
    ['and a uid', 'jane', ['Impersonate-User: bob', 'Impersonate-Uid: 2'], legacy],
    ['and something else', 'jane', ['Impersonate-User: bob', 'Impersonate-Extra-Scopes: all'], legacy],
    ['a group without a user', 'jane', ['Impersonate-Group: dev'], '400'],
    ['a group and an empty user', 'jane', ['Impersonate-User:', 'Impersonate-Group: dev'], '400'],
    ['an empty user', 'jane', ['Impersonate-User:'], 'jane'],
    ['a group in spaces', 'jane', ['Impersonate-User:  bob  ', 'Impersonate-Group:  dev '], 'bob dev'],
    ['who may, through a proxy', 'proxy', ['X-Remote-User: jane', 'Impersonate-User: bob'], 'bob'],
    ['whoever may anything', '', ['Authorization: Bearer admins', 'Impersonate-User: x'], 'x'],
  ])('the name of somebody else: %s', async (_what, who, lines, expected) => {
    expect(await send(pairs[who], lines)).toBe(expected);
  });

  it.each<Case>([
    ['and a token', 'jane', ['Authorization: Bearer bobs'], 'jane'],
    ['and a bad token', 'jane', ['Authorization: Bearer wrong'], 'jane'],
    ['that is bad, and a token', 'stranger', ['Authorization: Bearer bobs'], 'bob dev'],
    ['that is bad, and a bad token', 'stranger', ['Authorization: Bearer wrong'], '401'],
    ['that is bad', 'stranger', [], '401'],
  ])('a certificate %s', async (_what, who, lines, expected) => {
    expect(await send(pairs[who], lines)).toBe(expected);
  });

  // It is ambiguous which of two tokens is meant, so the second one must never be used because of the first.
  it.each<[string, string[], string[]]>([
    ['two users', ['alices', 'bobs'], ['401', 'alice']],
    ['a bad one first', ['wrong', 'admins'], ['401']],
    ['a bad one last', ['alices', 'wrong'], ['401', 'alice']],
  ])('two tokens: %s', async (_what, tokens, expected) => {
    const lines = tokens.map((token) => `Authorization: Bearer ${token}`);
    expect(expected).toContain(await send(undefined, lines));
  });
});

it.each([
  ['a space before the colon', 'Authorization : Bearer admins'],
  ['a folded line', 'X-Nothing: x\r\n Authorization: Bearer admins'],
  ['a name with a null', 'X-Remote\0-User: admin'],
  ['a carriage return in a value', 'X-Nothing: x\rAuthorization: Bearer admins'],
])('a header with %s is no header', async (_what, line) => {
  expect(['400', anonymous]).toContain(await overHttp1(undefined, [line]));
});

it('credentials in trailers are ignored', async () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  const bytes = `${head}Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer admins\r\n\r\n`;
  const response = await responsesTo(api, bytes);
  expect(described({ status: statusesOf(response)[0]!, text: bodyOf(response) })).toBe(anonymous);
});
