import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InMemoryExchange } from '../http/discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { RequestContext } from '../http/request-context.ts';
import { requestInfo } from '../http/request-info.ts';
import { unauthorized } from '../meta/status-error.ts';
import { Console } from './console.ts';
import { OwnSignIns } from './sign-ins.ts';

const script = `console.log('hello');\n`.repeat(50);
let folder: string;
let pages: Console;
const openConsole = (directory: string): Promise<Console> =>
  Console.open({
    directory,
    isLocalOnly: false,
    signIns: new OwnSignIns(),
    servingCert: () => '',
    authenticate: () => {
      throw unauthorized();
    },
    isIdentifying: () => false,
    onSignIn: () => {},
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-pages-'));
  await writeFile(join(folder, 'secret.js'), 'outside');
  await mkdir(join(folder, 'pages', 'assets'), { recursive: true });
  const files = { 'index.html': '<!doctype html>', 'assets/main-ABC.js': script, 'assets/notes.txt': 'not a page' };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, 'pages', name), content);
  await writeFile(join(folder, 'pages', 'assets/main-ABC.js.gz'), gzipSync(script));
  pages = await openConsole(join(folder, 'pages'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function get(path: string, headers: Record<string, string> = {}, from: Console = pages) {
  const exchange = new InMemoryExchange(path, { headers: { host: '127.0.0.1:6443', ...headers } });
  const context = new RequestContext(exchange, requestInfo('GET', path, ''), new ObjectFormats(['json']));
  let isPassedOn = false;
  await from.pages(context, () => {
    isPassedOn = true;
  });
  if (isPassedOn) return 'passed on';
  const { status, headers: responseHeaders, body } = exchange.response;
  return { status, headers: responseHeaders, body };
}

describe('the pages', () => {
  it.each(['/console/', '/console/index.html', '/console/objects/apps/v1/deployments/default/a.b.js'])(
    '%s is the page, which is asked for again',
    async (path) => {
      expect(await get(path)).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
        body: Buffer.from('<!doctype html>'),
      });
    },
  );

  it('have parts that are kept for ever, and are compressed if the client allows it', async () => {
    const path = '/console/assets/main-ABC.js';
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    };
    const plain = await get(path);
    expect(plain).toMatchObject({ status: 200, headers, body: Buffer.from(script) });
    const packed = await get(path, { 'accept-encoding': 'br, gzip' });
    expect(packed).toMatchObject({ headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(script) });
    const { etag } = (plain as Exclude<typeof plain, string>).headers;
    expect(etag).toMatch(/^W\/"/);
    expect(await get(path, { 'if-none-match': String(etag) })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(await get(path, { 'if-none-match': 'W/"x"' })).toMatchObject({ status: 200 });
  });

  it.each([
    '/console/assets/absent.js',
    '/console/assets/notes.txt',
    '/console/assets/main-ABC.js.gz',
    '/console/assets/../../secret.js',
    '/console/assets/%2e%2e/%2e%2e/secret.js',
    '/console/assets/..%2f..%2fsecret.js',
  ])('%s is not one', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  it('leave other paths alone', async () => {
    for (const path of ['/', '/api', '/consoles/', '/console-x']) expect(await get(path)).toBe('passed on');
  });

  it('may be missing', async () => {
    const missing = await openConsole(join(folder, 'none'));
    expect(await get('/console/', {}, missing)).toMatchObject({
      status: 404,
      body: Buffer.from('The pages of the console are missing: npm run build makes them.\n'),
    });
  });
});
