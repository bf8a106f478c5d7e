import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';
import { browserProgram, ConsoleBrowser, type Faults, faultsOf } from './console-browser.ts';

const count = Number(process.env.CONSOLE_PODS ?? 50_000);
const seconds = Number(process.env.CONSOLE_SECONDS ?? 120);
const perSecond = 100;
const pods = '/api/v1/namespaces/default/pods';
const nameOf = (index: number): string => `pod-${String(index).padStart(6, '0')}`;

describe.skipIf(browserProgram === undefined)(`a table of ${count} pods`, () => {
  let api: TestApi;
  let server: Server;
  let browser: ConsoleBrowser;
  let page: Page;
  let faults: Faults;

  beforeAll(async () => {
    api = await TestApi.start({ console: true }, async (options) => {
      server = await startTestedServer(options);
      return server;
    });
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    for (let first = 0; first < count; first += 100) {
      const batch = Array.from({ length: Math.min(100, count - first) }, (_, index) => nameOf(first + index));
      const made = await Promise.all(batch.map((name) => api.post(pods, { metadata: { name }, spec })));
      expect(made.every(({ status }) => status === 200)).toBe(true);
    }
    browser = await ConsoleBrowser.start();
    page = await browser.visit();
    faults = faultsOf(page, server.url);
    await page.goto(server.signInLink!());
    await page.getByLabel('User', { exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser?.stop();
    await api?.stop();
  });

  const row = (index: number) => page.getByRole('link', { name: nameOf(index), exact: true });

  /** What the page holds after a collection of garbage, in bytes. */
  async function heapSize(): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  }

  async function change(index: number, phase: string): Promise<void> {
    const { status } = await api.call('PATCH', `${pods}/${nameOf(index)}/status`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { phase } },
    });
    expect(status).toBe(200);
  }

  it('shows its first rows soon, and all of them in a few elements', async () => {
    await page.goto(`${server.url}/console/resources/-/v1/pods?ns=default`);
    await row(0).waitFor();
    const firstMs = await page.evaluate('performance.now()');
    await page
      .getByText(count.toLocaleString('en-US'), { exact: true })
      .or(page.getByText(String(count), { exact: true }))
      .first()
      .waitFor();
    const allMs = await page.evaluate('performance.now()');
    console.log(
      `${count} pods: first rows after ${Math.round(Number(firstMs))} ms, all after ${Math.round(Number(allMs))} ms`,
    );
    expect(await page.locator('tbody tr').count()).toBeLessThan(200);
  });

  it('follows changes anywhere, and does not grow', async () => {
    const start = await heapSize();
    const sizes: number[] = [];
    const end = Date.now() + seconds * 1000;
    let sent = 0;
    while (Date.now() < end) {
      const turn = Date.now() + 1000;
      const phase = sent % (2 * perSecond) === 0 ? 'Running' : 'Pending';
      for (let index = 0; index < perSecond; index++) await change((sent + index) % count, phase);
      sent += perSecond;
      if (sent % (10 * perSecond) === 0) sizes.push(await heapSize());
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, turn - Date.now())));
    }
    await change(0, 'Succeeded');
    await row(0).locator('xpath=ancestor::tr').getByText('Succeeded').waitFor();
    const last = await heapSize();
    console.log(
      `${sent} events: ${[start, ...sizes, last].map((size) => Math.round(size / 1024 / 1024)).join(', ')} MiB`,
    );
    expect(last).toBeLessThan(1.5 * Math.max(start, sizes[0] ?? start) + 16 * 1024 * 1024);
    expect(faults).toEqual({ errors: [], foreign: [] });
  });
});
