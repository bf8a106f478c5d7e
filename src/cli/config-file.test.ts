import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseCommandLine } from './command-line.ts';
import { UsageError } from './flags.ts';
import { serveFlags } from './serve-flags.ts';
import { importFlags } from './transfer-flags.ts';

let file: string;
beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-config-'));
  file = join(directory, 'keelson.yaml');
  return () => rm(directory, { recursive: true, force: true });
});

async function served(content: string, ...args: string[]) {
  await writeFile(file, content);
  return (await parseCommandLine(serveFlags, [`--config=${file}`, ...args])).values;
}

it('gives flags values of every kind', async () => {
  const content = `
# Where everything is.
data-dir: /var/lib/keelson
secure-port: 7443
allow-privileged: false
request-timeout: 30s
etcd-servers: [https://10.0.0.1:2379, https://10.0.0.2:2379]
controllers: ["*", -garbage-collector-controller]
feature-gates: { CBORServingAndStorage: true, APIResponseCompression: false }
runtime-config: api/all=true
`;
  expect(await served(content)).toMatchObject({
    dataDir: '/var/lib/keelson',
    securePort: 7443,
    allowPrivileged: false,
    requestTimeoutMs: 30_000,
    etcdServers: ['https://10.0.0.1:2379', 'https://10.0.0.2:2379'],
    controllers: ['*', '-garbage-collector-controller'],
    featureGates: 'APIResponseCompression=false,CBORServingAndStorage=true',
    runtimeConfig: 'api/all=true',
    bindAddress: '0.0.0.0',
  });
});

it('may be JSON, or empty', async () => {
  expect(await served('{"secure-port": 1, "data-dir": "x"}')).toMatchObject({ securePort: 1, dataDir: 'x' });
  expect(await served('')).toMatchObject({ securePort: 6443 });
});

it('is overruled by the command line', async () => {
  const values = await served('secure-port: 1\nbind-address: 10.0.0.1', '--secure-port=2');
  expect(values).toMatchObject({ securePort: 2, bindAddress: '10.0.0.1' });
});

it('serves other commands, which take what they know', async () => {
  await writeFile(file, 'data-dir: x\nsecure-port: 1\noutput: json');
  const { values } = await parseCommandLine(importFlags, [`--config=${file}`, '--from=y']);
  expect(values).toMatchObject({ dataDir: 'x', from: 'y', output: 'text' });
});

describe('is refused with', () => {
  it.each([
    ['an unknown key', 'data_dir: x', 'unknown key "data_dir"; did you mean "data-dir"?'],
    ['a key in other letters', 'dataDir: x', 'unknown key "dataDir"; did you mean "data-dir"?'],
    ['a key like no other', 'gadget: 1', /unknown key "gadget"$/],
    ['itself', 'config: x', 'unknown key "config"'],
    ['a bad value', 'secure-port: high', 'invalid value "high" for flag --secure-port'],
    ['no value', 'data-dir:', 'data-dir: must be a string, a number, true or false'],
    ['several values of one', 'data-dir: [a, b]', 'data-dir: must be a string'],
    ['lists in a list', 'controllers: [[a]]', 'controllers: must be a list or a string'],
    ['a comma in a list', 'controllers: ["a,b"]', 'controllers: "a,b" must not contain a comma'],
    ['a key twice', 'data-dir: a\ndata-dir: b', 'key "data-dir" already set'],
    ['a list', '- a', 'must be a mapping from flags to values'],
    ['no YAML', 'a: [', 'yaml: '],
  ])('%s', async (_what, content, message) => {
    const parsing = served(content);
    await expect(parsing).rejects.toThrow(message);
    await expect(parsing).rejects.toBeInstanceOf(UsageError);
  });

  it('no file', async () => {
    const parsing = parseCommandLine(serveFlags, [`--config=${file}.missing`]);
    await expect(parsing).rejects.toThrow(/^--config .*missing: ENOENT/);
  });
});
