import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedChromium } from '../../scripts/test-clients/http2-clients.ts';
import { TestApi } from '../wire/api.ts';
import { Browser } from './browser.ts';

const chromium = fetchedChromium();
const configMaps = '/api/v1/namespaces/default/configmaps';

describe.skipIf(chromium === undefined)('Chromium', () => {
  let api: TestApi;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-browser-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'secret,admin,1,system:masters\n');
    api = await TestApi.start({ tokenAuthFile });
    const data = { text: 'x'.repeat(300_000) };
    for (let index = 0; index < 10; index++) await api.post(configMaps, { metadata: { name: `n${index}` }, data });
    browser = await Browser.start(chromium!);
    await browser.open(`${api.server.url}/version`);
  });
  afterAll(async () => {
    await browser.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const known = `headers: { authorization: 'Bearer secret' }`;

  it('speaks HTTP/2', async () => {
    const protocol = await browser.evaluate(`fetch('/version', { ${known} }).then(async (answer) => {
      await answer.text();
      return performance.getEntriesByType('resource').at(-1).nextHopProtocol;
    })`);
    expect(protocol).toBe('h2');
  });

  it('reads large lists, many at a time', async () => {
    const list = await api.get(`${configMaps}?pretty=0`);
    const sizes = await browser.evaluate(`Promise.all(Array.from({ length: 40 }, (_, index) =>
      fetch('${configMaps}?pretty=0&round=' + index, { ${known} }).then(async (answer) => (await answer.text()).length),
    ))`);
    expect(sizes).toEqual(Array.from({ length: 40 }, () => list.text.length));
  });

  it('writes a large object', async () => {
    const status = await browser.evaluate(`fetch('${configMaps}', {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'by-browser' }, data: { text: 'b'.repeat(900_000) } }),
    }).then(({ status }) => status)`);
    expect(status).toBe(200);
    expect((await api.get(`${configMaps}/by-browser`)).body.data.text).toHaveLength(900_000);
    await api.delete(`${configMaps}/by-browser`);
  });

  it('follows a watch and ends it', async () => {
    const seen = browser.evaluate(`(async () => {
      const aborter = new AbortController();
      const answer = await fetch('/api/v1/namespaces/default/secrets?watch=1', { ${known}, signal: aborter.signal });
      globalThis.isWatching = true;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (text.split('\\n').length < 4) text += (await reader.read()).value;
      aborter.abort();
      return text.trim().split('\\n').map((line) => JSON.parse(line).object.metadata.name);
    })()`);
    await expect.poll(() => browser.evaluate('globalThis.isWatching')).toBe(true);
    for (const name of ['one', 'two', 'three']) {
      await api.post('/api/v1/namespaces/default/secrets', { metadata: { name } });
    }
    expect(await seen).toEqual(['one', 'two', 'three']);
  });

  it('follows a watch over a WebSocket', async () => {
    const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from('secret').toString('base64url')}`;
    const seen = browser.evaluate(`new Promise((resolve, reject) => {
      const url = location.origin.replace('https', 'wss') + '${configMaps}?watch=1';
      const socket = new WebSocket(url, ['${protocol}', 'base64.binary.k8s.io']);
      const names = [];
      socket.onmessage = ({ data }) => {
        names.push(JSON.parse(data.startsWith('{') ? data : atob(data)).object.metadata.name);
        if (names.length === 10) resolve(names);
      };
      socket.onerror = () => reject(new Error('no WebSocket'));
    })`);
    expect(await seen).toEqual(Array.from({ length: 10 }, (_, index) => `n${index}`));
  });
});
