/**
 * `npm run picture:console`: creates the pictures of docs/console.md in docs/console/, with a browser that shows the
 * console of a real server.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Server, startServer } from '../src/index.ts';
import { ConsoleBrowser } from '../test/console/console-browser.ts';
import { TestApi } from '../test/wire/api.ts';
import { shrinkPng } from './shrink-png.ts';
import { fetchChromium } from './test-clients/http2-clients.ts';

type Theme = 'light' | 'dark';

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Text that appears when the page is complete. */
  readonly text: string;
  readonly themes: readonly Theme[];
  /** The actions of the user before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
  readonly width?: number;
}

const target = join(import.meta.dirname, '..', 'docs', 'console');
const web = 'objects/apps/v1/deployments/shop/web';
const pictures: readonly Picture[] = [
  { name: 'table', path: 'resources/-/v1/pods?ns=shop', text: 'web-12', themes: ['light', 'dark'] },
  { name: 'object', path: web, text: 'Available', themes: ['light', 'dark'] },
  { name: 'yaml', path: `${web}?tab=yaml`, text: 'apiVersion', themes: ['light'] },
  { name: 'relations', path: `${web}?tab=relations`, text: 'web-5d9', themes: ['dark'] },
  { name: 'history', path: `${web}?tab=history`, text: 'Revision', themes: ['light'] },
  { name: 'timeline', path: 'timeline?ns=shop', text: 'web-12', themes: ['dark'] },
  { name: 'access', path: 'access?ns=shop', text: 'cluster-admin', themes: ['light'] },
  { name: 'server', path: 'server', text: 'requests', themes: ['dark'], act: () => pause(12_000) },
  { name: 'phone', path: 'resources/-/v1/pods?ns=shop', text: 'web-12', themes: ['light'], width: 400 },
];

const missing = await fetchChromium();
if (missing.length > 0) throw new Error(`Chromium is not available: ${missing.join()}`);
const server: Server = await startServer({ storage: 'memory', console: true });
const api = new TestApi(server);
const browser = await ConsoleBrowser.start();
const stopped = new AbortController();
try {
  await fill();
  const load = keepBusy(stopped.signal);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1120, 400]) await take(theme, width);
  }
  stopped.abort();
  await load;
  const sizes = readdirSync(target).map((file) => statSync(join(target, file)).size);
  console.log(`${sizes.length} pictures in ${target}, ${Math.round(sizes.reduce((a, b) => a + b) / 1024)} KiB`);
} finally {
  stopped.abort();
  await browser.stop();
  await api.stop();
}

/** Takes all pictures of a theme and width in one browser session. */
async function take(theme: Theme, width: number): Promise<void> {
  const wanted = pictures.filter((picture) => picture.themes.includes(theme) && (picture.width ?? 1120) === width);
  if (wanted.length === 0) return;
  const page = await browser.visit({ colorScheme: theme, width });
  await page.goto(server.signInLink!());
  await page.getByLabel('User', { exact: true }).waitFor();
  for (const { name, path, text, act } of wanted) {
    await page.goto(`${server.url}/console/${path}`);
    await page.locator('#content').getByText(text).filter({ visible: true }).first().waitFor();
    await act?.(page);
    // Waits for fonts and transitions.
    await pause(500);
    writeFileSync(join(target, `${name}-${theme}.png`), shrinkPng(await page.screenshot()));
  }
}

/** Creates a shop with pods, as controllers and nodes would have created them. */
async function fill(): Promise<void> {
  await api.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
  const deployments = '/apis/apps/v1/namespaces/shop/deployments';
  const template = (image: string) => ({
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }] }] },
  });
  const spec = { replicas: 12, selector: { matchLabels: { app: 'web' } }, template: template('shop/web:1.4') };
  const deployment = await api.post(`${deployments}?fieldManager=deployer`, { metadata: { name: 'web' }, spec });
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    uid: deployment.body.metadata.uid,
    controller: true,
  };
  const sets = '/apis/apps/v1/namespaces/shop/replicasets';
  const labels = { app: 'web', 'pod-template-hash': '5d9' };
  const set = await api.post(`${sets}?fieldManager=kube-controller-manager`, {
    metadata: { name: 'web-5d9', labels, ownerReferences: [owner] },
    spec: {
      replicas: 12,
      selector: { matchLabels: labels },
      template: { ...template('shop/web:1.4'), metadata: { labels } },
    },
  });
  const setOwner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web-5d9',
    uid: set.body.metadata.uid,
    controller: true,
  };
  for (let count = 1; count <= 12; count++) await addPod(`web-${count}`, { labels, ownerReferences: [setOwner] });
  await api.patch(`${deployments}/web?fieldManager=autoscaler`, { spec: { replicas: 14 } });
  await api.patch(`${deployments}/web?fieldManager=deployer`, { spec: { template: template('shop/web:1.5') } });
  await api.call('PATCH', `${deployments}/web/status?fieldManager=kube-controller-manager`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: {
      status: {
        replicas: 12,
        readyReplicas: 11,
        availableReplicas: 11,
        conditions: [
          {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          },
          {
            type: 'Progressing',
            status: 'True',
            reason: 'ReplicaSetUpdated',
            message: 'ReplicaSet "web-5d9" is progressing.',
          },
        ],
      },
    },
  });
  await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings', {
    metadata: { name: 'developers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'developers' }],
  });
}

async function addPod(name: string, metadata: object): Promise<void> {
  const pods = '/api/v1/namespaces/shop/pods';
  const spec = { nodeName: `node-${name.length}`, containers: [{ name: 'web', image: 'shop/web:1.4' }] };
  await api.post(`${pods}?fieldManager=kube-controller-manager`, { metadata: { name, ...metadata }, spec });
  const isReady = name !== 'web-7';
  await api.call('PATCH', `${pods}/${name}/status?fieldManager=kubelet`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: {
      status: {
        phase: isReady ? 'Running' : 'Pending',
        podIP: `10.0.0.${name.slice('web-'.length)}`,
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        containerStatuses: [
          {
            name: 'web',
            image: 'shop/web:1.4',
            imageID: '',
            ready: isReady,
            restartCount: 0,
            state: isReady ? { running: {} } : { waiting: { reason: 'ImagePullBackOff' } },
          },
        ],
      },
    },
  });
}

/** Sends requests, so that the plots show some load. */
async function keepBusy(signal: AbortSignal): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  for (let count = 0; !signal.aborted; count++) {
    await api.post(path, { metadata: { name: `n${count}` } });
    await api.get(path);
    if (count % 3 === 0) await api.delete(`${path}/n${count}`);
    if (count % 7 === 0) await api.get(`${path}/absent`);
    await pause(20 + 15 * Math.sin(count / 30));
  }
}
