import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import type { TestApi } from '../wire/api.ts';
import { browserProgram, ConsoleBrowser, type Faults, signIn, startConsole } from './console-browser.ts';

const count = Number(process.env.CONSOLE_PODS ?? 50_000);
/**
 * 100 events per second for an hour are 360,000 events. They need as many changes of objects, which limits the speed of
 * the test.
 */
const events = Number(process.env.CONSOLE_EVENTS ?? 36_000);
const atOnce = 50;
const mebibyte = 1024 * 1024;
const pods = '/api/v1/namespaces/default/pods';
const nameOf = (index: number): string => `pod-${String(index).padStart(6, '0')}`;

describe.skipIf(browserProgram === undefined)(`a table of ${count} pods`, () => {
  let api: TestApi;
  let server: Server;
  let browser: ConsoleBrowser;
  let page: Page;
  let faults: Faults;
  let tools: CDPSession;

  beforeAll(async () => {
    ({ api, server } = await startConsole());
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    for (let first = 0; first < count; first += 100) {
      const batch = Array.from({ length: Math.min(100, count - first) }, (_, index) => nameOf(first + index));
      const made = await Promise.all(batch.map((name) => api.post(pods, { metadata: { name }, spec })));
      expect(made.every(({ status }) => status === 200)).toBe(true);
    }
    browser = await ConsoleBrowser.start();
    ({ page, faults } = await signIn(browser, server));
    tools = await page.context().newCDPSession(page);
    await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  });
  afterAll(async () => {
    await browser?.stop();
    await api?.stop();
  });

  const row = (index: number) => page.getByRole('link', { name: nameOf(index), exact: true });
  const names = () => page.locator('td.name a').allTextContents();

  /** Returns the heap size of the page after a garbage collection, in bytes. */
  async function heapSize(): Promise<number> {
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize;
  }

  /** Returns the milliseconds that the thread of the page has worked since it was loaded. */
  async function workMs(): Promise<number> {
    const { metrics } = await tools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  }

  async function change(index: number, phase: string): Promise<void> {
    const { status } = await api.call('PATCH', `${pods}/${nameOf(index)}/status`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { phase } },
    });
    expect(status).toBe(200);
  }

  /** Changes the pods one after the other, starting again after the last one. */
  let changed = 0;
  async function changeSome(number: number): Promise<void> {
    for (let done = 0; done < number; done += atOnce) {
      const phase = Math.floor(changed / count) % 2 === 0 ? 'Running' : 'Pending';
      await Promise.all(Array.from({ length: atOnce }, (_, index) => change((changed + index) % count, phase)));
      changed += atOnce;
    }
  }

  it('shows its first rows soon, and all of them in a few elements', async () => {
    const startedAt = performance.now();
    await page.goto(`${server.url}/console/resources/-/v1/pods?ns=default`);
    await row(0).waitFor();
    const shownMs = performance.now() - startedAt;
    const firstMs = await workMs();
    await page.locator('[data-state=live]').waitFor();
    const allMs = await workMs();
    console.log(
      `${count} pods: first rows after ${Math.round(shownMs)} ms and ${Math.round(firstMs)} ms of work, ` +
        `all after ${Math.round(allMs)} ms of work`,
    );
    expect(firstMs).toBeLessThan(500);
    expect(await page.locator('.table-count').textContent()).toBe(count.toLocaleString('en'));
    expect(await page.locator('tbody tr').count()).toBeLessThan(200);
  });

  it('is sorted, searched and scrolled while it changes', async () => {
    const before = await workMs();
    const changes = changeSome(2000);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('button', { name: 'Name' }).click();
    await row(count - 1).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill(nameOf(count - 1).slice(0, -1));
    await expect.poll(async () => (await names()).length).toBe(10);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('button', { name: 'Name' }).click();
    await row(0).waitFor();
    await page.locator('tbody tr[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await row(count - 1).waitFor();
    await page.keyboard.press('Home');
    await row(0).waitFor();
    await changes;
    console.log(`2000 events meanwhile: ${Math.round((await workMs()) - before)} ms of work`);
  });

  it('follows changes anywhere, and does not grow', async () => {
    const before = await workMs();
    const sizes = [await heapSize()];
    const steps = 12;
    for (let step = 0; step < steps; step++) {
      await changeSome(events / steps);
      sizes.push(await heapSize());
    }
    await change(0, 'Succeeded');
    await row(0).locator('xpath=ancestor::tr').getByText('Succeeded').waitFor();
    const work = (await workMs()) - before;
    console.log(
      `${events} events: ${sizes.map((size) => (size / mebibyte).toFixed(1)).join(', ')} MiB, ` +
        `${Math.round(work)} ms of work`,
    );
    // The size may change while rows get other texts and caches fill. It must not grow with the number of events.
    const early = Math.max(...sizes.slice(0, steps / 2));
    const late = Math.max(...sizes.slice(steps / 2));
    expect(late).toBeLessThan(early + 2 * mebibyte);
    expect(faults).toEqual({ errors: [], foreign: [] });
  });
});
