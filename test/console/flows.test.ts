import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import type { TestApi } from '../wire/api.ts';
import { define } from '../wire/custom-types.ts';
import {
  browserProgram,
  ConsoleBrowser,
  type Faults,
  show,
  signIn,
  startConsole,
  userMenu,
} from './console-browser.ts';
import { pagesWithHostileTexts, storeHostileTexts } from './hostile-texts.ts';

const require = createRequire(import.meta.url);
/** The minified file. The default entry is twice as large, and Node.js would run it. */
const axeFile = require.resolve('axe-core/axe.min.js');

describe.skipIf(browserProgram === undefined)('the pages of the console', () => {
  let api: TestApi;
  let server: Server;
  let browser: ConsoleBrowser;
  let page: Page;
  let faults: Faults;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-console-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    const auditPolicyFile = join(folder, 'policy.json');
    await writeFile(tokenAuthFile, 'secret-of-bob,bob,8\n');
    const rules = [{ level: 'Metadata', verbs: ['delete'], omitStages: ['RequestReceived'] }];
    await writeFile(auditPolicyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    const auditLogPath = join(folder, 'audit.log');
    ({ api, server } = await startConsole({ tokenAuthFile, auditPolicyFile, auditLogPath }));
    browser = await ConsoleBrowser.start();
    ({ page, faults } = await signIn(browser, server));
  });
  afterAll(async () => {
    await browser?.stop();
    await api?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (path: string) => show(page, path);
  const names = async () => (await page.locator('td.name a').allTextContents()).map((name) => name.trim());
  const rows = () => expect.poll(names);

  /** Returns the accessibility violations of the page. */
  async function barriers(): Promise<unknown> {
    if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(await readFile(axeFile, 'utf8'));
    return page.evaluate(
      `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
    );
  }

  /** Replaces the end of a line by key presses, as a user does. */
  async function rewrite(line: string, end: string, written: string): Promise<void> {
    await page.locator('.cm-line', { hasText: line }).click();
    await page.keyboard.press('End');
    for (const _ of end) await page.keyboard.press('Backspace');
    await page.keyboard.type(written);
  }

  it('shows a live table, and keeps its filters in the address', async () => {
    const configMaps = await api.configMaps('table', { a: { color: 'red' }, b: {}, c: {} });
    await open('resources/-/v1/configmaps?ns=table');
    await rows().toEqual(['a', 'b', 'c']);
    await api.post(configMaps, { metadata: { name: 'd', labels: { tier: 'front' } }, data: { x: '1', y: '2' } });
    await rows().toEqual(['a', 'b', 'c', 'd']);
    await api.delete(`${configMaps}/b`);
    await rows().toEqual(['a', 'c', 'd']);
    await page.getByRole('button', { name: 'Data' }).click();
    await page.getByRole('button', { name: 'Data' }).click();
    await rows().toEqual(['d', 'a', 'c']);
    await page.getByRole('searchbox', { name: 'Labels' }).fill('tier=front');
    await page.getByRole('searchbox', { name: 'Labels' }).press('Enter');
    await rows().toEqual(['d']);
    expect(page.url()).toContain('labels=tier%3Dfront');
    await page.reload();
    await rows().toEqual(['d']);
    await page.getByRole('searchbox', { name: 'Labels' }).fill('');
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('red');
    await rows().toEqual(['a']);
    expect(await barriers()).toEqual([]);
    // On the screen of a phone, the navigation is hidden and the page does not scroll horizontally.
    const links = page.getByRole('navigation', { name: 'Resources' });
    await page.setViewportSize({ width: 400, height: 800 });
    await links.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    for (const _ of ['from elsewhere', 'from its own page']) {
      await page.getByRole('button', { name: 'Navigation' }).click();
      await links.getByRole('link', { name: 'Secret', exact: true }).click();
      await page.getByRole('heading', { name: 'Secret' }).waitFor();
      await links.waitFor({ state: 'hidden' });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('navigates with the keyboard', async () => {
    await open('');
    await page.getByRole('heading', { name: 'Resources' }).waitFor();
    // The next key may be pressed before the page is rendered again.
    const pressed = `document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))`;
    expect(await page.evaluate(`${pressed}; document.activeElement.className`)).toBe('palette-input');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cm');
    // The types of the server may not be known yet.
    await page.getByRole('option', { name: 'ConfigMap' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ConfigMap' }).waitFor();
    await page.locator('td.name').first().waitFor();
    await page.locator('tbody tr[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    expect(page.url()).toContain('/objects/-/v1/configmaps/');
  });

  it('applies an edit: what would change, conflicts with their managers, a takeover', async () => {
    const configMaps = await api.configMaps('edit');
    await api.post(`${configMaps}?fieldManager=somebody`, {
      metadata: { name: 'x' },
      data: { key: 'one', other: 'two' },
    });
    await open('objects/-/v1/configmaps/edit/x?tab=yaml');
    await rewrite('key: one', 'one', 'mine');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const conflict = page.getByRole('region', { name: 'Conflicts' }).getByRole('row').nth(1);
    await conflict.waitFor();
    expect((await conflict.getByRole('cell').allTextContents()).slice(0, 4)).toEqual([
      '.data.key',
      'somebody',
      'one',
      'mine',
    ]);
    await conflict.getByLabel('take over').check();
    await page.locator('.diff-added').waitFor();
    expect(await page.locator('.diff-removed, .diff-added').allTextContents()).toEqual(['−  key: one', '+  key: mine']);
    expect(await barriers()).toEqual([]);
    // Up to here, all requests were dry runs.
    expect((await api.get(`${configMaps}/x`)).body.data.key).toBe('one');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('x was written').waitFor();
    const { data, metadata } = (await api.get(`${configMaps}/x`)).body;
    expect(data).toEqual({ key: 'mine', other: 'two' });
    const own = metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'keelson-console');
    expect(own.fieldsV1).toEqual({ 'f:data': { 'f:key': {} } });
  });

  it('shows what a deletion waits for', async () => {
    const configMaps = await api.configMaps('delete');
    await api.post(configMaps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    await open('objects/-/v1/configmaps/delete/held');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const card = page.getByRole('region', { name: 'Deletion' });
    await card.getByText('example.com/hold').waitFor();
    await api.patch(`${configMaps}/held`, { metadata: { finalizers: null } });
    await page.getByText('deleted', { exact: true }).waitFor();
    expect((await api.get(`${configMaps}/held`)).status).toBe(404);
  });

  it('follows a custom resource from its definition on', async () => {
    await open('types');
    await page.getByText('No custom resource is defined').waitFor();
    const properties = {
      rig: { type: 'string', enum: ['sloop', 'ketch'] },
      crew: { type: 'integer', description: 'How many sail it.' },
    };
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', required: ['rig'], properties } },
    };
    const crew = { name: 'Crew', type: 'integer', jsonPath: '.spec.crew' };
    await define(api, {
      metadata: { name: 'boats.harbor.example' },
      spec: {
        group: 'harbor.example',
        scope: 'Namespaced',
        names: { plural: 'boats', kind: 'Boat' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            additionalPrinterColumns: [crew],
          },
        ],
      },
    });
    await page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name: 'Boat' }).waitFor();
    await page.getByRole('region', { name: 'Boat' }).getByRole('link', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Form' }).click();
    await page.locator('#content').getByLabel('name').first().fill('argo');
    await page.getByLabel('crew').fill('50');
    await page.getByLabel('rig').selectOption('ketch');
    expect(await barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Try and review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('argo was created').waitFor();
    const made = await api.get('/apis/harbor.example/v1/namespaces/default/boats/argo');
    expect(made.body.spec).toEqual({ rig: 'ketch', crew: 50 });
    await page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name: 'Boat' }).click();
    await page.getByRole('cell', { name: '50', exact: true }).waitFor();
  });

  it('restores an earlier revision, and a deleted object', async () => {
    const configMaps = await api.configMaps('past');
    await api.post(configMaps, { metadata: { name: 'past' }, data: { key: 'old' } });
    await api.patch(`${configMaps}/past`, { data: { key: 'new' } });
    await open('objects/-/v1/configmaps/past/past?tab=history');
    await page.getByRole('button', { name: /created/ }).click();
    await page.getByRole('button', { name: 'Restore this' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByText('past was written').waitFor();
    expect((await api.get(`${configMaps}/past`)).body.data).toEqual({ key: 'old' });
    await api.delete(`${configMaps}/past`);
    await page.getByRole('button', { name: /deleted/ }).waitFor();
    await page
      .getByRole('button', { name: /changed/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Restore this' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('past was created').waitFor();
    expect((await api.get(`${configMaps}/past`)).body.data).toEqual({ key: 'old' });
    await open('timeline?ns=past');
    await page.getByRole('listitem').filter({ hasText: 'ConfigMap past' }).first().waitFor();
  });

  it('tries an object, and shows what changed and denied it', async () => {
    const admission = '/apis/admissionregistration.k8s.io/v1';
    await api.configMaps('tried');
    const matchConstraints = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tried' } },
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    };
    const applied = { applyConfiguration: { expression: `Object{data: {"added": "by-policy"}}` } };
    const specs = {
      mutating: {
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'ApplyConfiguration', ...applied }],
        matchConstraints,
      },
      validating: {
        validations: [{ expression: 'object.metadata.name != "attempt"', message: 'no attempts' }],
        matchConstraints,
      },
    };
    for (const [name, spec] of Object.entries(specs)) {
      const made = await api.post(`${admission}/${name}admissionpolicies`, { metadata: { name: `${name}-one` }, spec });
      const binding = { policyName: `${name}-one`, ...(name === 'validating' && { validationActions: ['Deny'] }) };
      const bound = await api.post(`${admission}/${name}admissionpolicybindings`, {
        metadata: { name },
        spec: binding,
      });
      expect([made.status, bound.status]).toEqual([200, 200]);
    }
    await open('admission?ns=tried');
    await page.getByRole('cell', { name: 'validating (Deny)' }).waitFor();
    await page.locator('.cm-line', { hasText: 'attempt' }).waitFor();
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    const report = page.getByRole('region', { name: 'Admission' });
    await report.waitFor();
    const reportRows = (await report.getByRole('row').allTextContents()).slice(1);
    expect(reportRows).toEqual([
      expect.stringMatching(/^MutatingAdmissionPolicy.*mutating-one.*"by-policy"/),
      expect.stringMatching(/^ValidatingAdmissionPolicy.*validating-one.*denied: .*no attempts/),
    ]);
    await page.keyboard.press('Escape');
  });

  it('shows what the server does, live', async () => {
    await open('server');
    for (const name of [
      'Requests a second by verb',
      'Answers a second by code',
      'Latency',
      'Watches and running requests',
      'Flow control: seats by priority level',
      'Slow requests',
      'Health checks',
      'Audit events',
    ]) {
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    const total = () => page.getByRole('region', { name: 'Requests' }).locator('.figure-value').textContent();
    const before = await total();
    await api.delete('/api/v1/namespaces/default/configmaps/nowhere');
    const event = page.getByRole('region', { name: 'Audit events' }).getByRole('row').filter({ hasText: 'nowhere' });
    await event.waitFor();
    expect((await event.getByRole('cell').allTextContents()).slice(1)).toEqual([
      'kubernetes-admin',
      'delete /api/v1/namespaces/default/configmaps/nowhere',
      '404',
    ]);
    await expect.poll(total).not.toBe(before);
    expect(await barriers()).toEqual([]);
    await open('');
  });

  it('shows a user with few permissions only what the user may read', async () => {
    await api.configMaps('few', { visible: {} });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await api.post(`${rbac}/namespaces/few/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    });
    await api.post(`${rbac}/namespaces/few/rolebindings`, {
      metadata: { name: 'bob' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    });
    const own = page;
    page = await browser.visit();
    try {
      await page.goto(`${server.url}/console/`);
      await page.getByLabel('Bearer token').fill('secret-of-bob');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await userMenu(page).waitFor();
      await open('resources/-/v1/configmaps');
      await page.getByText('cannot list resource "configmaps"').waitFor();
      await page.getByRole('textbox', { name: 'Namespace' }).fill('few');
      await page.getByRole('textbox', { name: 'Namespace' }).press('Enter');
      await rows().toEqual(['visible']);
      await open('resources/-/v1/secrets?ns=few');
      await page.getByText('cannot list resource "secrets"').waitFor();
      await open('access?ns=few');
      const row = page.getByRole('row', { name: /^configmaps/ });
      await row.waitFor();
      expect(await row.getByRole('cell').allTextContents()).toEqual(['yes', 'yes', 'yes', 'no', 'no', 'no', 'no']);
      await row.getByRole('button', { name: 'yes' }).first().click();
      await page.getByText('bob may get configmaps in few').waitFor();
    } finally {
      await page.close();
      page = own;
    }
  });

  it('has two themes, and no accessibility violations', async () => {
    const background = () => page.evaluate(`getComputedStyle(document.querySelector('.side-bar')).backgroundColor`);
    await open('');
    const light = await background();
    await page.getByLabel('Dark theme').click();
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.getByLabel('Light theme').waitFor();
    for (const path of ['access?q=pods', 'admission']) {
      await open(path);
      await page.locator('h1').first().waitFor();
      expect({ path, barriers: await barriers() }).toEqual({ path, barriers: [] });
    }
    await page.getByLabel('Light theme').click();
    expect(await background()).toBe(light);
  });

  describe('show texts that attack them', () => {
    beforeAll(() => storeHostileTexts(api));

    it.each(pagesWithHostileTexts)('%s shows them as text', async (_, path, text) => {
      await open(path);
      await page.locator('#content').getByText(text).first().waitFor({ state: 'attached' });
      await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
      const found = await page.evaluate(`[
        ...document.querySelectorAll('[onerror], [onclick], [onload], img[src="x"], a[href^="javascript:" i], iframe'),
        ...[...document.scripts].filter(({ src }) => !src.startsWith(location.origin + '/console/assets/')),
      ].map((element) => element.outerHTML)`);
      expect(found).toEqual([]);
      expect(faults).toEqual({ errors: [], foreign: [] });
    });
  });

  it('does nothing else meanwhile: no errors, no requests to others', () => {
    expect(faults).toEqual({ errors: [], foreign: [] });
  });
});
