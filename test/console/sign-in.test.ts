import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import type { TestApi } from '../wire/api.ts';
import {
  browserProgram,
  ConsoleBrowser,
  faultsOf,
  reboundName,
  show,
  signIn,
  startConsole,
  userMenu,
} from './console-browser.ts';

const namespaces = '/api/v1/namespaces';

describe.skipIf(browserProgram === undefined)('the console in Chromium', () => {
  let folder: string;
  let api: TestApi;
  let server: Server;
  let browser: ConsoleBrowser;

  /** Starts a server with the data, the certificates and the port of the previous one. */
  async function startServer(): Promise<void> {
    const securePort = server === undefined ? 0 : Number(new URL(server.url).port);
    ({ api, server } = await startConsole({
      storage: 'embedded',
      dataDir: join(folder, 'data'),
      tokenAuthFile: join(folder, 'tokens.csv'),
      securePort,
    }));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-console-'));
    await writeFile(join(folder, 'tokens.csv'), 'secret-of-ann,ann,7,"system:masters"\n');
    await startServer();
    browser = await ConsoleBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await api?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const tokenField = (page: Page) => page.getByLabel('Bearer token');

  it('signs in by the link, which leaves nothing in the address bar', async () => {
    const page = await browser.visit();
    const faults = faultsOf(page, server.url);
    const link = server.signInLink!();
    await page.goto(link);
    await userMenu(page).click();
    await page.getByText('kubernetes-admin').waitFor();
    expect(page.url()).toBe(`${server.url}/console/`);
    // The page can use the session but cannot read its cookie.
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([
      expect.objectContaining({
        name: `__Host-keelson-${new URL(server.url).port}`,
        path: '/',
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      }),
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');
    // Another tab of the same browser is also signed in.
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/console/`);
    await userMenu(tab).waitFor();
    // The sign-in link can be used only once.
    const other = await browser.visit();
    await other.goto(link);
    await tokenField(other).waitFor();
    expect(await other.context().cookies()).toEqual([]);
    expect(faults).toEqual({ errors: [], foreign: [] });
  });

  it('signs in by token after a wrong one, and out', async () => {
    const page = await browser.visit();
    await page.goto(`${server.url}/console/`);
    await tokenField(page).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await tokenField(page).fill('secret-of-ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await userMenu(page).click();
    await page.getByText('ann', { exact: true }).waitFor();
    const [before] = await page.context().cookies();
    const proof = await page.evaluate(`JSON.stringify(localStorage)`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await tokenField(page).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(`JSON.stringify(localStorage)`)).not.toBe(proof);
    // The cookie and the token of the ended session are no longer valid.
    const kept = {
      cookie: `${before!.name}=${before!.value}`,
      'x-keelson-console': Object.values(JSON.parse(String(proof)) as Record<string, string>)[0]!,
    };
    expect((await api.get(namespaces, { credentials: false, headers: kept })).status).toBe(401);
  });

  it('survives a restart of the server', async () => {
    const { page } = await signIn(browser, server);
    await show(page, 'resources/-/v1/configmaps');
    await api.post(`${namespaces}/default/configmaps`, { metadata: { name: 'before-the-restart' } });
    await page.getByText('before-the-restart').waitFor();
    await api.stop();
    await startServer();
    // Sessions end with the server. The page asks for a new sign-in and keeps its contents.
    await tokenField(page).fill('secret-of-ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('before-the-restart').waitFor();
    await api.post(`${namespaces}/default/configmaps`, { metadata: { name: 'after-the-restart' } });
    await page.getByText('after-the-restart').waitFor();
    expect(await page.getByText('before-the-restart').isVisible()).toBe(true);
  });

  describe('a page that has signed in', () => {
    let page: Page;
    beforeAll(async () => {
      ({ page } = await signIn(browser, server));
    });

    it('runs no script but its own', async () => {
      // Code that the driver evaluates is exempt from the content security policy. Code in a timer is not.
      const result = await page.evaluate(`new Promise((resolve) => setTimeout(() => {
        const ran = [];
        const attempt = (name, act) => {
          try { act(); ran.push(name); } catch {}
        };
        globalThis.inline = false;
        attempt('eval', () => eval('1'));
        attempt('Function', () => new Function('1'));
        attempt('innerHTML', () => { document.createElement('p').innerHTML = '<b>x</b>'; });
        attempt('script', () => { document.createElement('script').textContent = '1'; });
        const link = document.createElement('a');
        link.href = 'javascript:globalThis.inline=true';
        document.body.append(link);
        link.click();
        link.remove();
        resolve(ran);
      }))`);
      expect(result).toEqual([]);
      expect(await page.evaluate('globalThis.inline')).toBe(false);
    });

    describe('beside a page of somebody else', () => {
      let foreign: HttpsServer;
      let other: Page;
      /** The cookies that the other server receives. Browsers do not separate cookies by port. */
      let cookies = '';
      beforeAll(async () => {
        const pki = join(folder, 'data', 'pki');
        const pair = {
          cert: await readFile(join(pki, 'apiserver.crt')),
          key: await readFile(join(pki, 'apiserver.key')),
        };
        foreign = createServer(pair, (request, response) => {
          cookies = request.headers.cookie ?? cookies;
          response.setHeader('content-type', 'text/html').end('<!doctype html><title>attacker</title>');
        });
        foreign.listen(0, '127.0.0.1');
        await once(foreign, 'listening');
        other = await page.context().newPage();
        await other.goto(`https://127.0.0.1:${(foreign.address() as AddressInfo).port}`);
      });
      afterAll(() => {
        foreign.closeAllConnections();
        return new Promise((resolve) => foreign.close(resolve));
      });

      it('gets the cookie, which is of no use alone', async () => {
        expect(cookies).toContain('__Host-keelson-');
        const headers = { cookie: cookies, 'x-keelson-console': 'x' };
        expect((await api.get(namespaces, { credentials: false, headers })).status).toBe(401);
      });

      it.each([
        [
          'a form',
          `{ method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"metadata":{"name":"stolen"}}' }`,
        ],
        [
          'JSON',
          `{ method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'x-keelson-console': 'x' }, body: '{"metadata":{"name":"stolen"}}' }`,
        ],
      ])('cannot write with the cookie: %s', async (_, init) => {
        await other.evaluate(`fetch('${server.url}${namespaces}', ${init}).catch(() => {})`);
        expect((await api.get(`${namespaces}/stolen`)).status).toBe(404);
      });

      it('cannot read with the cookie', async () => {
        const result = await other.evaluate(
          `fetch('${server.url}${namespaces}', { credentials: 'include' }).then(() => 'read', () => 'refused')`,
        );
        expect(result).toBe('refused');
      });

      it('cannot show the console in a frame', async () => {
        const frame = await other.evaluateHandle(`new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = () => resolve(frame);
          frame.src = '${server.url}/console/';
          document.body.append(frame);
        })`);
        const content = await frame.asElement()!.contentFrame();
        expect(await content!.evaluate('document.body.innerText')).not.toContain('Keelson');
        expect(await content!.evaluate('document.querySelector("#app") === null')).toBe(true);
      });

      it('cannot open the console and reach into it', async () => {
        const isCut = await other.evaluate(`new Promise((resolve) => {
          const opened = open('${server.url}/console/');
          const check = () => (opened.closed ? resolve(true) : setTimeout(check, 20));
          check();
        })`);
        expect(isCut).toBe(true);
      });

      it('cannot reach the console by DNS rebinding', async () => {
        const rebound = await other.context().newPage();
        const { port } = new URL(server.url);
        const response = await rebound.goto(`https://${reboundName}:${port}/console/`);
        expect(response!.status()).toBe(403);
        expect(await rebound.evaluate(`fetch('${namespaces}').then(({ status }) => status)`)).toBe(401);
        expect(await rebound.evaluate(`fetch('/console/session').then(({ status }) => status)`)).toBe(403);
      });
    });
  });
});
